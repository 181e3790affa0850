; ModuleID = 'values.c'
source_filename = "values.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.point = type { i32, i32 }

@table = internal global [4 x i32] [i32 3, i32 1, i32 4, i32 1], align 16, !dbg !0
@.str = private unnamed_addr constant [6 x i8] c"seven\00", align 1, !dbg !7

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @choose(i32 noundef %0) #0 !dbg !24 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  store i32 %0, ptr %3, align 4
    #dbg_declare(ptr %3, !28, !DIExpression(), !29)
  %4 = load i32, ptr %3, align 4, !dbg !30
  switch i32 %4, label %13 [
    i32 1, label %5
    i32 2, label %6
    i32 7, label %11
  ], !dbg !31

5:                                                ; preds = %1
  store i32 10, ptr %2, align 4, !dbg !32
  br label %15, !dbg !32

6:                                                ; preds = %1
  %7 = load i32, ptr %3, align 4, !dbg !34
  %8 = sext i32 %7 to i64, !dbg !35
  %9 = getelementptr inbounds [4 x i32], ptr @table, i64 0, i64 %8, !dbg !35
  %10 = load i32, ptr %9, align 4, !dbg !35
  store i32 %10, ptr %2, align 4, !dbg !36
  br label %15, !dbg !36

11:                                               ; preds = %1
  %12 = load i32, ptr %3, align 4, !dbg !37
  call void @show(ptr noundef @.str, i32 noundef %12), !dbg !38
  store i32 70, ptr %2, align 4, !dbg !39
  br label %15, !dbg !39

13:                                               ; preds = %1
  %14 = load i32, ptr %3, align 4, !dbg !40
  store i32 %14, ptr %2, align 4, !dbg !41
  br label %15, !dbg !41

15:                                               ; preds = %13, %11, %6, %5
  %16 = load i32, ptr %2, align 4, !dbg !42
  ret i32 %16, !dbg !42
}

declare void @show(ptr noundef, i32 noundef) #1

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i64 @sum(ptr noundef %0, i32 noundef %1) #0 !dbg !43 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca i64, align 8
  %6 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
    #dbg_declare(ptr %3, !49, !DIExpression(), !50)
  store i32 %1, ptr %4, align 4
    #dbg_declare(ptr %4, !51, !DIExpression(), !52)
    #dbg_declare(ptr %5, !53, !DIExpression(), !54)
  store i64 0, ptr %5, align 8, !dbg !54
    #dbg_declare(ptr %6, !55, !DIExpression(), !57)
  store i32 0, ptr %6, align 4, !dbg !57
  br label %7, !dbg !58

7:                                                ; preds = %38, %2
  %8 = load i32, ptr %6, align 4, !dbg !59
  %9 = load i32, ptr %4, align 4, !dbg !61
  %10 = icmp slt i32 %8, %9, !dbg !62
  br i1 %10, label %11, label %41, !dbg !63

11:                                               ; preds = %7
  %12 = load ptr, ptr %3, align 8, !dbg !64
  %13 = load i32, ptr %6, align 4, !dbg !67
  %14 = sext i32 %13 to i64, !dbg !64
  %15 = getelementptr inbounds i32, ptr %12, i64 %14, !dbg !64
  %16 = load i32, ptr %15, align 4, !dbg !64
  %17 = icmp slt i32 %16, 0, !dbg !68
  br i1 %17, label %18, label %19, !dbg !69

18:                                               ; preds = %11
  br label %38, !dbg !70

19:                                               ; preds = %11
  %20 = load ptr, ptr %3, align 8, !dbg !71
  %21 = load i32, ptr %6, align 4, !dbg !72
  %22 = sext i32 %21 to i64, !dbg !71
  %23 = getelementptr inbounds i32, ptr %20, i64 %22, !dbg !71
  %24 = load i32, ptr %23, align 4, !dbg !71
  %25 = icmp sgt i32 %24, 100, !dbg !73
  br i1 %25, label %26, label %27, !dbg !71

26:                                               ; preds = %19
  br label %33, !dbg !71

27:                                               ; preds = %19
  %28 = load ptr, ptr %3, align 8, !dbg !74
  %29 = load i32, ptr %6, align 4, !dbg !75
  %30 = sext i32 %29 to i64, !dbg !74
  %31 = getelementptr inbounds i32, ptr %28, i64 %30, !dbg !74
  %32 = load i32, ptr %31, align 4, !dbg !74
  br label %33, !dbg !71

33:                                               ; preds = %27, %26
  %34 = phi i32 [ 100, %26 ], [ %32, %27 ], !dbg !71
  %35 = sext i32 %34 to i64, !dbg !71
  %36 = load i64, ptr %5, align 8, !dbg !76
  %37 = add nsw i64 %36, %35, !dbg !76
  store i64 %37, ptr %5, align 8, !dbg !76
  br label %38, !dbg !77

38:                                               ; preds = %33, %18
  %39 = load i32, ptr %6, align 4, !dbg !78
  %40 = add nsw i32 %39, 1, !dbg !78
  store i32 %40, ptr %6, align 4, !dbg !78
  br label %7, !dbg !79, !llvm.loop !80

41:                                               ; preds = %7
  %42 = load i64, ptr %5, align 8, !dbg !83
  ret i64 %42, !dbg !84
}

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @main(i32 noundef %0, ptr noundef %1) #0 !dbg !85 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  %6 = alloca %struct.point, align 4
  store i32 0, ptr %3, align 4
  store i32 %0, ptr %4, align 4
    #dbg_declare(ptr %4, !90, !DIExpression(), !91)
  store ptr %1, ptr %5, align 8
    #dbg_declare(ptr %5, !92, !DIExpression(), !93)
    #dbg_declare(ptr %6, !94, !DIExpression(), !99)
  %7 = getelementptr inbounds %struct.point, ptr %6, i32 0, i32 0, !dbg !100
  %8 = load i32, ptr %4, align 4, !dbg !101
  store i32 %8, ptr %7, align 4, !dbg !100
  %9 = getelementptr inbounds %struct.point, ptr %6, i32 0, i32 1, !dbg !100
  %10 = load i32, ptr %4, align 4, !dbg !102
  %11 = call i32 @choose(i32 noundef %10), !dbg !103
  store i32 %11, ptr %9, align 4, !dbg !100
  br label %12, !dbg !104

12:                                               ; preds = %25, %2
  %13 = getelementptr inbounds %struct.point, ptr %6, i32 0, i32 0, !dbg !105
  %14 = load i32, ptr %13, align 4, !dbg !105
  %15 = icmp slt i32 %14, 10, !dbg !106
  br i1 %15, label %16, label %26, !dbg !104

16:                                               ; preds = %12
  %17 = call i32 @add(ptr noundef %6, i32 noundef 5), !dbg !107
  %18 = getelementptr inbounds %struct.point, ptr %6, i32 0, i32 0, !dbg !109
  %19 = load i32, ptr %18, align 4, !dbg !110
  %20 = add nsw i32 %19, %17, !dbg !110
  store i32 %20, ptr %18, align 4, !dbg !110
  %21 = getelementptr inbounds %struct.point, ptr %6, i32 0, i32 1, !dbg !111
  %22 = load i32, ptr %21, align 4, !dbg !111
  %23 = icmp sgt i32 %22, 3, !dbg !113
  br i1 %23, label %24, label %25, !dbg !114

24:                                               ; preds = %16
  br label %26, !dbg !115

25:                                               ; preds = %16
  br label %12, !dbg !104, !llvm.loop !116

26:                                               ; preds = %24, %12
  %27 = call i64 @sum(ptr noundef @table, i32 noundef 4), !dbg !118
  %28 = trunc i64 %27 to i32, !dbg !119
  %29 = call i32 @add(ptr noundef %6, i32 noundef 6), !dbg !120
  %30 = add nsw i32 %28, %29, !dbg !121
  ret i32 %30, !dbg !122
}

; Function Attrs: noinline nounwind optnone uwtable
define internal i32 @add(ptr noundef %0, i32 noundef %1) #0 !dbg !123 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
    #dbg_declare(ptr %3, !127, !DIExpression(), !128)
  store i32 %1, ptr %4, align 4
    #dbg_declare(ptr %4, !129, !DIExpression(), !130)
  %5 = load ptr, ptr %3, align 8, !dbg !131
  %6 = getelementptr inbounds %struct.point, ptr %5, i32 0, i32 0, !dbg !132
  %7 = load i32, ptr %6, align 4, !dbg !132
  %8 = load ptr, ptr %3, align 8, !dbg !133
  %9 = getelementptr inbounds %struct.point, ptr %8, i32 0, i32 1, !dbg !134
  %10 = load i32, ptr %9, align 4, !dbg !134
  %11 = add nsw i32 %7, %10, !dbg !135
  ret i32 %11, !dbg !136
}

attributes #0 = { noinline nounwind optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!16, !17, !18, !19, !20, !21, !22}
!llvm.ident = !{!23}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "table", scope: !2, file: !3, line: 3, type: !13, isLocal: true, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !4, globals: !6, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "values.c", directory: "samples", checksumkind: CSK_MD5, checksum: "67f53dfe32e06acc57a3e709d15523b7")
!4 = !{!5}
!5 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!6 = !{!7, !0}
!7 = !DIGlobalVariableExpression(var: !8, expr: !DIExpression())
!8 = distinct !DIGlobalVariable(scope: null, file: !3, line: 10, type: !9, isLocal: true, isDefinition: true)
!9 = !DICompositeType(tag: DW_TAG_array_type, baseType: !10, size: 48, elements: !11)
!10 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!11 = !{!12}
!12 = !DISubrange(count: 6)
!13 = !DICompositeType(tag: DW_TAG_array_type, baseType: !5, size: 128, elements: !14)
!14 = !{!15}
!15 = !DISubrange(count: 4)
!16 = !{i32 7, !"Dwarf Version", i32 5}
!17 = !{i32 2, !"Debug Info Version", i32 3}
!18 = !{i32 1, !"wchar_size", i32 4}
!19 = !{i32 8, !"PIC Level", i32 2}
!20 = !{i32 7, !"PIE Level", i32 2}
!21 = !{i32 7, !"uwtable", i32 2}
!22 = !{i32 7, !"frame-pointer", i32 2}
!23 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!24 = distinct !DISubprogram(name: "choose", scope: !3, file: !3, line: 6, type: !25, scopeLine: 6, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !27)
!25 = !DISubroutineType(types: !26)
!26 = !{!5, !5}
!27 = !{}
!28 = !DILocalVariable(name: "n", arg: 1, scope: !24, file: !3, line: 6, type: !5)
!29 = !DILocation(line: 6, column: 16, scope: !24)
!30 = !DILocation(line: 7, column: 11, scope: !24)
!31 = !DILocation(line: 7, column: 3, scope: !24)
!32 = !DILocation(line: 8, column: 11, scope: !33)
!33 = distinct !DILexicalBlock(scope: !24, file: !3, line: 7, column: 14)
!34 = !DILocation(line: 9, column: 24, scope: !33)
!35 = !DILocation(line: 9, column: 18, scope: !33)
!36 = !DILocation(line: 9, column: 11, scope: !33)
!37 = !DILocation(line: 10, column: 25, scope: !33)
!38 = !DILocation(line: 10, column: 11, scope: !33)
!39 = !DILocation(line: 10, column: 29, scope: !33)
!40 = !DILocation(line: 11, column: 19, scope: !33)
!41 = !DILocation(line: 11, column: 12, scope: !33)
!42 = !DILocation(line: 13, column: 1, scope: !24)
!43 = distinct !DISubprogram(name: "sum", scope: !3, file: !3, line: 14, type: !44, scopeLine: 14, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !27)
!44 = !DISubroutineType(types: !45)
!45 = !{!46, !47, !5}
!46 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!47 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !48, size: 64)
!48 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !5)
!49 = !DILocalVariable(name: "values", arg: 1, scope: !43, file: !3, line: 14, type: !47)
!50 = !DILocation(line: 14, column: 21, scope: !43)
!51 = !DILocalVariable(name: "count", arg: 2, scope: !43, file: !3, line: 14, type: !5)
!52 = !DILocation(line: 14, column: 33, scope: !43)
!53 = !DILocalVariable(name: "all", scope: !43, file: !3, line: 15, type: !46)
!54 = !DILocation(line: 15, column: 8, scope: !43)
!55 = !DILocalVariable(name: "i", scope: !56, file: !3, line: 16, type: !5)
!56 = distinct !DILexicalBlock(scope: !43, file: !3, line: 16, column: 3)
!57 = !DILocation(line: 16, column: 12, scope: !56)
!58 = !DILocation(line: 16, column: 8, scope: !56)
!59 = !DILocation(line: 16, column: 19, scope: !60)
!60 = distinct !DILexicalBlock(scope: !56, file: !3, line: 16, column: 3)
!61 = !DILocation(line: 16, column: 23, scope: !60)
!62 = !DILocation(line: 16, column: 21, scope: !60)
!63 = !DILocation(line: 16, column: 3, scope: !56)
!64 = !DILocation(line: 17, column: 9, scope: !65)
!65 = distinct !DILexicalBlock(scope: !66, file: !3, line: 17, column: 9)
!66 = distinct !DILexicalBlock(scope: !60, file: !3, line: 16, column: 35)
!67 = !DILocation(line: 17, column: 16, scope: !65)
!68 = !DILocation(line: 17, column: 19, scope: !65)
!69 = !DILocation(line: 17, column: 9, scope: !66)
!70 = !DILocation(line: 17, column: 24, scope: !65)
!71 = !DILocation(line: 18, column: 12, scope: !66)
!72 = !DILocation(line: 18, column: 19, scope: !66)
!73 = !DILocation(line: 18, column: 22, scope: !66)
!74 = !DILocation(line: 18, column: 36, scope: !66)
!75 = !DILocation(line: 18, column: 43, scope: !66)
!76 = !DILocation(line: 18, column: 9, scope: !66)
!77 = !DILocation(line: 19, column: 3, scope: !66)
!78 = !DILocation(line: 16, column: 31, scope: !60)
!79 = !DILocation(line: 16, column: 3, scope: !60)
!80 = distinct !{!80, !63, !81, !82}
!81 = !DILocation(line: 19, column: 3, scope: !56)
!82 = !{!"llvm.loop.mustprogress"}
!83 = !DILocation(line: 20, column: 10, scope: !43)
!84 = !DILocation(line: 20, column: 3, scope: !43)
!85 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 22, type: !86, scopeLine: 22, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !27)
!86 = !DISubroutineType(types: !87)
!87 = !{!5, !5, !88}
!88 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !89, size: 64)
!89 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !10, size: 64)
!90 = !DILocalVariable(name: "argc", arg: 1, scope: !85, file: !3, line: 22, type: !5)
!91 = !DILocation(line: 22, column: 14, scope: !85)
!92 = !DILocalVariable(name: "argv", arg: 2, scope: !85, file: !3, line: 22, type: !88)
!93 = !DILocation(line: 22, column: 27, scope: !85)
!94 = !DILocalVariable(name: "p", scope: !85, file: !3, line: 23, type: !95)
!95 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "point", file: !3, line: 2, size: 64, elements: !96)
!96 = !{!97, !98}
!97 = !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !95, file: !3, line: 2, baseType: !5, size: 32)
!98 = !DIDerivedType(tag: DW_TAG_member, name: "y", scope: !95, file: !3, line: 2, baseType: !5, size: 32, offset: 32)
!99 = !DILocation(line: 23, column: 16, scope: !85)
!100 = !DILocation(line: 23, column: 20, scope: !85)
!101 = !DILocation(line: 23, column: 21, scope: !85)
!102 = !DILocation(line: 23, column: 34, scope: !85)
!103 = !DILocation(line: 23, column: 27, scope: !85)
!104 = !DILocation(line: 24, column: 3, scope: !85)
!105 = !DILocation(line: 24, column: 12, scope: !85)
!106 = !DILocation(line: 24, column: 14, scope: !85)
!107 = !DILocation(line: 24, column: 29, scope: !108)
!108 = distinct !DILexicalBlock(scope: !85, file: !3, line: 24, column: 20)
!109 = !DILocation(line: 24, column: 24, scope: !108)
!110 = !DILocation(line: 24, column: 26, scope: !108)
!111 = !DILocation(line: 24, column: 47, scope: !112)
!112 = distinct !DILexicalBlock(scope: !108, file: !3, line: 24, column: 45)
!113 = !DILocation(line: 24, column: 49, scope: !112)
!114 = !DILocation(line: 24, column: 45, scope: !108)
!115 = !DILocation(line: 24, column: 54, scope: !112)
!116 = distinct !{!116, !104, !117, !82}
!117 = !DILocation(line: 24, column: 61, scope: !85)
!118 = !DILocation(line: 25, column: 15, scope: !85)
!119 = !DILocation(line: 25, column: 10, scope: !85)
!120 = !DILocation(line: 25, column: 31, scope: !85)
!121 = !DILocation(line: 25, column: 29, scope: !85)
!122 = !DILocation(line: 25, column: 3, scope: !85)
!123 = distinct !DISubprogram(name: "add", scope: !3, file: !3, line: 5, type: !124, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !27)
!124 = !DISubroutineType(types: !125)
!125 = !{!5, !126, !5}
!126 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !95, size: 64)
!127 = !DILocalVariable(name: "p", arg: 1, scope: !123, file: !3, line: 5, type: !126)
!128 = !DILocation(line: 5, column: 30, scope: !123)
!129 = !DILocalVariable(name: "unused", arg: 2, scope: !123, file: !3, line: 5, type: !5)
!130 = !DILocation(line: 5, column: 37, scope: !123)
!131 = !DILocation(line: 5, column: 54, scope: !123)
!132 = !DILocation(line: 5, column: 57, scope: !123)
!133 = !DILocation(line: 5, column: 61, scope: !123)
!134 = !DILocation(line: 5, column: 64, scope: !123)
!135 = !DILocation(line: 5, column: 59, scope: !123)
!136 = !DILocation(line: 5, column: 47, scope: !123)
