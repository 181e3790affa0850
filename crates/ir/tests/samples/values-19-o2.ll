; ModuleID = 'values.c'
source_filename = "values.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@.str = private unnamed_addr constant [6 x i8] c"seven\00", align 1

; Function Attrs: nounwind uwtable
define dso_local i32 @choose(i32 noundef %0) local_unnamed_addr #0 {
  switch i32 %0, label %4 [
    i32 1, label %5
    i32 2, label %2
    i32 7, label %3
  ]

2:                                                ; preds = %1
  br label %5

3:                                                ; preds = %1
  tail call void @show(ptr noundef nonnull @.str, i32 noundef 7) #4
  br label %5

4:                                                ; preds = %1
  br label %5

5:                                                ; preds = %1, %4, %3, %2
  %6 = phi i32 [ %0, %4 ], [ 70, %3 ], [ 4, %2 ], [ 10, %1 ]
  ret i32 %6
}

declare void @show(ptr noundef, i32 noundef) local_unnamed_addr #1

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: read) uwtable
define dso_local i64 @sum(ptr nocapture noundef readonly %0, i32 noundef %1) local_unnamed_addr #2 {
  %3 = icmp sgt i32 %1, 0
  br i1 %3, label %4, label %34

4:                                                ; preds = %2
  %5 = zext nneg i32 %1 to i64
  %6 = icmp ult i32 %1, 4
  br i1 %6, label %7, label %10

7:                                                ; preds = %30, %4
  %8 = phi i64 [ 0, %4 ], [ %11, %30 ]
  %9 = phi i64 [ 0, %4 ], [ %32, %30 ]
  br label %36

10:                                               ; preds = %4
  %11 = and i64 %5, 2147483644
  br label %12

12:                                               ; preds = %12, %10
  %13 = phi i64 [ 0, %10 ], [ %28, %12 ]
  %14 = phi <2 x i64> [ zeroinitializer, %10 ], [ %26, %12 ]
  %15 = phi <2 x i64> [ zeroinitializer, %10 ], [ %27, %12 ]
  %16 = getelementptr inbounds i32, ptr %0, i64 %13
  %17 = getelementptr inbounds i8, ptr %16, i64 8
  %18 = load <2 x i32>, ptr %16, align 4, !tbaa !5
  %19 = load <2 x i32>, ptr %17, align 4, !tbaa !5
  %20 = tail call <2 x i32> @llvm.smin.v2i32(<2 x i32> %18, <2 x i32> <i32 100, i32 100>)
  %21 = tail call <2 x i32> @llvm.smin.v2i32(<2 x i32> %19, <2 x i32> <i32 100, i32 100>)
  %22 = tail call <2 x i32> @llvm.smax.v2i32(<2 x i32> %20, <2 x i32> zeroinitializer)
  %23 = tail call <2 x i32> @llvm.smax.v2i32(<2 x i32> %21, <2 x i32> zeroinitializer)
  %24 = zext nneg <2 x i32> %22 to <2 x i64>
  %25 = zext nneg <2 x i32> %23 to <2 x i64>
  %26 = add <2 x i64> %14, %24
  %27 = add <2 x i64> %15, %25
  %28 = add nuw i64 %13, 4
  %29 = icmp eq i64 %28, %11
  br i1 %29, label %30, label %12, !llvm.loop !9

30:                                               ; preds = %12
  %31 = add <2 x i64> %27, %26
  %32 = tail call i64 @llvm.vector.reduce.add.v2i64(<2 x i64> %31)
  %33 = icmp eq i64 %11, %5
  br i1 %33, label %34, label %7

34:                                               ; preds = %36, %30, %2
  %35 = phi i64 [ 0, %2 ], [ %32, %30 ], [ %44, %36 ]
  ret i64 %35

36:                                               ; preds = %7, %36
  %37 = phi i64 [ %45, %36 ], [ %8, %7 ]
  %38 = phi i64 [ %44, %36 ], [ %9, %7 ]
  %39 = getelementptr inbounds i32, ptr %0, i64 %37
  %40 = load i32, ptr %39, align 4, !tbaa !5
  %41 = tail call i32 @llvm.smin.i32(i32 %40, i32 100)
  %42 = tail call i32 @llvm.smax.i32(i32 %41, i32 0)
  %43 = zext nneg i32 %42 to i64
  %44 = add nuw nsw i64 %38, %43
  %45 = add nuw nsw i64 %37, 1
  %46 = icmp eq i64 %45, %5
  br i1 %46, label %34, label %36, !llvm.loop !13
}

; Function Attrs: nounwind uwtable
define dso_local i32 @main(i32 noundef %0, ptr nocapture noundef readnone %1) local_unnamed_addr #0 {
  switch i32 %0, label %5 [
    i32 1, label %7
    i32 2, label %3
    i32 7, label %4
  ]

3:                                                ; preds = %2
  br label %7

4:                                                ; preds = %2
  tail call void @show(ptr noundef nonnull @.str, i32 noundef 7) #4
  br label %7

5:                                                ; preds = %2
  %6 = icmp slt i32 %0, 10
  br i1 %6, label %7, label %16

7:                                                ; preds = %4, %3, %2, %5
  %8 = phi i32 [ %0, %5 ], [ 10, %2 ], [ 4, %3 ], [ 70, %4 ]
  %9 = icmp slt i32 %8, 4
  br label %10

10:                                               ; preds = %7, %10
  %11 = phi i32 [ %13, %10 ], [ %0, %7 ]
  %12 = shl i32 %11, 1
  %13 = add i32 %12, %8
  %14 = icmp slt i32 %13, 10
  %15 = select i1 %9, i1 %14, i1 false
  br i1 %15, label %10, label %16, !llvm.loop !14

16:                                               ; preds = %10, %5
  %17 = phi i32 [ %0, %5 ], [ %8, %10 ]
  %18 = phi i32 [ %0, %5 ], [ %13, %10 ]
  %19 = add nsw i32 %18, %17
  %20 = add nsw i32 %19, 9
  ret i32 %20
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare <2 x i32> @llvm.smin.v2i32(<2 x i32>, <2 x i32>) #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare <2 x i32> @llvm.smax.v2i32(<2 x i32>, <2 x i32>) #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.vector.reduce.add.v2i64(<2 x i64>) #3

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { nofree norecurse nosync nounwind memory(argmem: read) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!5 = !{!6, !6, i64 0}
!6 = !{!"int", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C/C++ TBAA"}
!9 = distinct !{!9, !10, !11, !12}
!10 = !{!"llvm.loop.mustprogress"}
!11 = !{!"llvm.loop.isvectorized", i32 1}
!12 = !{!"llvm.loop.unroll.runtime.disable"}
!13 = distinct !{!13, !10, !12, !11}
!14 = distinct !{!14, !10}
