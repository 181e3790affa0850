; A counter of words, and a program that calls it.
source_filename = "words.c"
target datalayout = "e-m:e-p270:32:32-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.entry = type { i32, ptr, [4 x i8] }
%"class.a b" = type opaque

$inlined = comdat any

@.str = private unnamed_addr constant [7 x i8] c"%d %s\0A\00", align 1
@table = dso_local global [8 x ptr] zeroinitializer, align 16
@first = internal global %struct.entry { i32 1, ptr null, [4 x i8] c"ab\00\00" }
@last = external thread_local global i32
@other = alias i32, ptr @table

declare i32 @printf(ptr noundef nonnull, ...) local_unnamed_addr #1

declare void @llvm.dbg.value(metadata, metadata, metadata)

define dso_local i32 @count(ptr nocapture noundef readonly %text, i64 %length) local_unnamed_addr #0 !dbg !5 {
entry:
  %empty = icmp eq i64 %length, 0
  br i1 %empty, label %done, label %loop, !prof !7

loop:                                             ; preds = %entry, %loop
  %at = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %place = getelementptr inbounds i8, ptr %text, i64 %at
  %byte = load i8, ptr %place, align 1, !tbaa !8
  %is = icmp eq i8 %byte, 32
  %one = zext i1 %is to i32
  %more = add nuw nsw i32 %sum, %one
  %next = add nuw i64 %at, 1
  %over = icmp eq i64 %next, %length
  br i1 %over, label %done, label %loop

done:
  %result = phi i32 [ 0, %entry ], [ %more, %loop ]
  switch i32 %result, label %out [
    i32 0, label %none
    i32 7, label %out
  ]

none:
  store i32 -1, ptr getelementptr inbounds (%struct.entry, ptr @first, i64 0, i32 0), align 4
  unreachable

out:
  ret i32 %result
}

define linkonce_odr double @inlined(double %0, <4 x float> %1) comdat {
  %3 = fmul fast double %0, 2.500000e+00
  %4 = extractelement <4 x float> %1, i32 1
  %5 = fpext float %4 to double
  %6 = select i1 true, double %3, double %5
  ret double %6
}

define i32 @main(i32 %argc, ptr %argv) personality ptr @count {
  %1 = call i32 @count(ptr @.str, i64 6), !dbg !9
  %2 = tail call i32 (ptr, ...) @printf(ptr @.str, i32 %1, ptr %argv)
  ret i32 %2
}

attributes #0 = { nofree norecurse nosync nounwind "frame-pointer"="none" }
attributes #1 = { nounwind }

!llvm.module.flags = !{!0, !1}
!llvm.dbg.cu = !{!2}

!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, isOptimized: true)
!3 = !DIFile(filename: "words.c", directory: "/src")
!5 = distinct !DISubprogram(name: "count", scope: !3, file: !3, line: 7, unit: !2)
!7 = !{!"branch_weights", i32 1, i32 99}
!8 = !{!"omnipotent char", !10, i64 0}
!9 = !DILocation(line: 12, column: 3, scope: !5)
!10 = !{!"Simple C/C++ TBAA"}
