; ModuleID = 'values.c'
source_filename = "values.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.point = type { i32, i32 }

@table = internal global [4 x i32] [i32 3, i32 1, i32 4, i32 1], align 16, !dbg !0
@.str = private unnamed_addr constant [6 x i8] c"seven\00", align 1

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @choose(i32 noundef %0) #0 !dbg !18 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  store i32 %0, i32* %3, align 4
  call void @llvm.dbg.declare(metadata i32* %3, metadata !22, metadata !DIExpression()), !dbg !23
  %4 = load i32, i32* %3, align 4, !dbg !24
  switch i32 %4, label %13 [
    i32 1, label %5
    i32 2, label %6
    i32 7, label %11
  ], !dbg !25

5:                                                ; preds = %1
  store i32 10, i32* %2, align 4, !dbg !26
  br label %15, !dbg !26

6:                                                ; preds = %1
  %7 = load i32, i32* %3, align 4, !dbg !28
  %8 = sext i32 %7 to i64, !dbg !29
  %9 = getelementptr inbounds [4 x i32], [4 x i32]* @table, i64 0, i64 %8, !dbg !29
  %10 = load i32, i32* %9, align 4, !dbg !29
  store i32 %10, i32* %2, align 4, !dbg !30
  br label %15, !dbg !30

11:                                               ; preds = %1
  %12 = load i32, i32* %3, align 4, !dbg !31
  call void @show(i8* noundef getelementptr inbounds ([6 x i8], [6 x i8]* @.str, i64 0, i64 0), i32 noundef %12), !dbg !32
  store i32 70, i32* %2, align 4, !dbg !33
  br label %15, !dbg !33

13:                                               ; preds = %1
  %14 = load i32, i32* %3, align 4, !dbg !34
  store i32 %14, i32* %2, align 4, !dbg !35
  br label %15, !dbg !35

15:                                               ; preds = %13, %11, %6, %5
  %16 = load i32, i32* %2, align 4, !dbg !36
  ret i32 %16, !dbg !36
}

; Function Attrs: nofree nosync nounwind readnone speculatable willreturn
declare void @llvm.dbg.declare(metadata, metadata, metadata) #1

declare void @show(i8* noundef, i32 noundef) #2

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i64 @sum(i32* noundef %0, i32 noundef %1) #0 !dbg !37 {
  %3 = alloca i32*, align 8
  %4 = alloca i32, align 4
  %5 = alloca i64, align 8
  %6 = alloca i32, align 4
  store i32* %0, i32** %3, align 8
  call void @llvm.dbg.declare(metadata i32** %3, metadata !43, metadata !DIExpression()), !dbg !44
  store i32 %1, i32* %4, align 4
  call void @llvm.dbg.declare(metadata i32* %4, metadata !45, metadata !DIExpression()), !dbg !46
  call void @llvm.dbg.declare(metadata i64* %5, metadata !47, metadata !DIExpression()), !dbg !48
  store i64 0, i64* %5, align 8, !dbg !48
  call void @llvm.dbg.declare(metadata i32* %6, metadata !49, metadata !DIExpression()), !dbg !51
  store i32 0, i32* %6, align 4, !dbg !51
  br label %7, !dbg !52

7:                                                ; preds = %38, %2
  %8 = load i32, i32* %6, align 4, !dbg !53
  %9 = load i32, i32* %4, align 4, !dbg !55
  %10 = icmp slt i32 %8, %9, !dbg !56
  br i1 %10, label %11, label %41, !dbg !57

11:                                               ; preds = %7
  %12 = load i32*, i32** %3, align 8, !dbg !58
  %13 = load i32, i32* %6, align 4, !dbg !61
  %14 = sext i32 %13 to i64, !dbg !58
  %15 = getelementptr inbounds i32, i32* %12, i64 %14, !dbg !58
  %16 = load i32, i32* %15, align 4, !dbg !58
  %17 = icmp slt i32 %16, 0, !dbg !62
  br i1 %17, label %18, label %19, !dbg !63

18:                                               ; preds = %11
  br label %38, !dbg !64

19:                                               ; preds = %11
  %20 = load i32*, i32** %3, align 8, !dbg !65
  %21 = load i32, i32* %6, align 4, !dbg !66
  %22 = sext i32 %21 to i64, !dbg !65
  %23 = getelementptr inbounds i32, i32* %20, i64 %22, !dbg !65
  %24 = load i32, i32* %23, align 4, !dbg !65
  %25 = icmp sgt i32 %24, 100, !dbg !67
  br i1 %25, label %26, label %27, !dbg !65

26:                                               ; preds = %19
  br label %33, !dbg !65

27:                                               ; preds = %19
  %28 = load i32*, i32** %3, align 8, !dbg !68
  %29 = load i32, i32* %6, align 4, !dbg !69
  %30 = sext i32 %29 to i64, !dbg !68
  %31 = getelementptr inbounds i32, i32* %28, i64 %30, !dbg !68
  %32 = load i32, i32* %31, align 4, !dbg !68
  br label %33, !dbg !65

33:                                               ; preds = %27, %26
  %34 = phi i32 [ 100, %26 ], [ %32, %27 ], !dbg !65
  %35 = sext i32 %34 to i64, !dbg !65
  %36 = load i64, i64* %5, align 8, !dbg !70
  %37 = add nsw i64 %36, %35, !dbg !70
  store i64 %37, i64* %5, align 8, !dbg !70
  br label %38, !dbg !71

38:                                               ; preds = %33, %18
  %39 = load i32, i32* %6, align 4, !dbg !72
  %40 = add nsw i32 %39, 1, !dbg !72
  store i32 %40, i32* %6, align 4, !dbg !72
  br label %7, !dbg !73, !llvm.loop !74

41:                                               ; preds = %7
  %42 = load i64, i64* %5, align 8, !dbg !77
  ret i64 %42, !dbg !78
}

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @main(i32 noundef %0, i8** noundef %1) #0 !dbg !79 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i8**, align 8
  %6 = alloca %struct.point, align 4
  store i32 0, i32* %3, align 4
  store i32 %0, i32* %4, align 4
  call void @llvm.dbg.declare(metadata i32* %4, metadata !85, metadata !DIExpression()), !dbg !86
  store i8** %1, i8*** %5, align 8
  call void @llvm.dbg.declare(metadata i8*** %5, metadata !87, metadata !DIExpression()), !dbg !88
  call void @llvm.dbg.declare(metadata %struct.point* %6, metadata !89, metadata !DIExpression()), !dbg !94
  %7 = getelementptr inbounds %struct.point, %struct.point* %6, i32 0, i32 0, !dbg !95
  %8 = load i32, i32* %4, align 4, !dbg !96
  store i32 %8, i32* %7, align 4, !dbg !95
  %9 = getelementptr inbounds %struct.point, %struct.point* %6, i32 0, i32 1, !dbg !95
  %10 = load i32, i32* %4, align 4, !dbg !97
  %11 = call i32 @choose(i32 noundef %10), !dbg !98
  store i32 %11, i32* %9, align 4, !dbg !95
  br label %12, !dbg !99

12:                                               ; preds = %25, %2
  %13 = getelementptr inbounds %struct.point, %struct.point* %6, i32 0, i32 0, !dbg !100
  %14 = load i32, i32* %13, align 4, !dbg !100
  %15 = icmp slt i32 %14, 10, !dbg !101
  br i1 %15, label %16, label %26, !dbg !99

16:                                               ; preds = %12
  %17 = call i32 @add(%struct.point* noundef %6, i32 noundef 5), !dbg !102
  %18 = getelementptr inbounds %struct.point, %struct.point* %6, i32 0, i32 0, !dbg !104
  %19 = load i32, i32* %18, align 4, !dbg !105
  %20 = add nsw i32 %19, %17, !dbg !105
  store i32 %20, i32* %18, align 4, !dbg !105
  %21 = getelementptr inbounds %struct.point, %struct.point* %6, i32 0, i32 1, !dbg !106
  %22 = load i32, i32* %21, align 4, !dbg !106
  %23 = icmp sgt i32 %22, 3, !dbg !108
  br i1 %23, label %24, label %25, !dbg !109

24:                                               ; preds = %16
  br label %26, !dbg !110

25:                                               ; preds = %16
  br label %12, !dbg !99, !llvm.loop !111

26:                                               ; preds = %24, %12
  %27 = call i64 @sum(i32* noundef getelementptr inbounds ([4 x i32], [4 x i32]* @table, i64 0, i64 0), i32 noundef 4), !dbg !113
  %28 = trunc i64 %27 to i32, !dbg !114
  %29 = call i32 @add(%struct.point* noundef %6, i32 noundef 6), !dbg !115
  %30 = add nsw i32 %28, %29, !dbg !116
  ret i32 %30, !dbg !117
}

; Function Attrs: noinline nounwind optnone uwtable
define internal i32 @add(%struct.point* noundef %0, i32 noundef %1) #0 !dbg !118 {
  %3 = alloca %struct.point*, align 8
  %4 = alloca i32, align 4
  store %struct.point* %0, %struct.point** %3, align 8
  call void @llvm.dbg.declare(metadata %struct.point** %3, metadata !122, metadata !DIExpression()), !dbg !123
  store i32 %1, i32* %4, align 4
  call void @llvm.dbg.declare(metadata i32* %4, metadata !124, metadata !DIExpression()), !dbg !125
  %5 = load %struct.point*, %struct.point** %3, align 8, !dbg !126
  %6 = getelementptr inbounds %struct.point, %struct.point* %5, i32 0, i32 0, !dbg !127
  %7 = load i32, i32* %6, align 4, !dbg !127
  %8 = load %struct.point*, %struct.point** %3, align 8, !dbg !128
  %9 = getelementptr inbounds %struct.point, %struct.point* %8, i32 0, i32 1, !dbg !129
  %10 = load i32, i32* %9, align 4, !dbg !129
  %11 = add nsw i32 %7, %10, !dbg !130
  ret i32 %11, !dbg !131
}

attributes #0 = { noinline nounwind optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nofree nosync nounwind readnone speculatable willreturn }
attributes #2 = { "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!10, !11, !12, !13, !14, !15, !16}
!llvm.ident = !{!17}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "table", scope: !2, file: !3, line: 3, type: !7, isLocal: true, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, producer: "Debian clang version 14.0.6", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !4, globals: !6, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "values.c", directory: "samples", checksumkind: CSK_MD5, checksum: "67f53dfe32e06acc57a3e709d15523b7")
!4 = !{!5}
!5 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!6 = !{!0}
!7 = !DICompositeType(tag: DW_TAG_array_type, baseType: !5, size: 128, elements: !8)
!8 = !{!9}
!9 = !DISubrange(count: 4)
!10 = !{i32 7, !"Dwarf Version", i32 5}
!11 = !{i32 2, !"Debug Info Version", i32 3}
!12 = !{i32 1, !"wchar_size", i32 4}
!13 = !{i32 7, !"PIC Level", i32 2}
!14 = !{i32 7, !"PIE Level", i32 2}
!15 = !{i32 7, !"uwtable", i32 1}
!16 = !{i32 7, !"frame-pointer", i32 2}
!17 = !{!"Debian clang version 14.0.6"}
!18 = distinct !DISubprogram(name: "choose", scope: !3, file: !3, line: 6, type: !19, scopeLine: 6, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !21)
!19 = !DISubroutineType(types: !20)
!20 = !{!5, !5}
!21 = !{}
!22 = !DILocalVariable(name: "n", arg: 1, scope: !18, file: !3, line: 6, type: !5)
!23 = !DILocation(line: 6, column: 16, scope: !18)
!24 = !DILocation(line: 7, column: 11, scope: !18)
!25 = !DILocation(line: 7, column: 3, scope: !18)
!26 = !DILocation(line: 8, column: 11, scope: !27)
!27 = distinct !DILexicalBlock(scope: !18, file: !3, line: 7, column: 14)
!28 = !DILocation(line: 9, column: 24, scope: !27)
!29 = !DILocation(line: 9, column: 18, scope: !27)
!30 = !DILocation(line: 9, column: 11, scope: !27)
!31 = !DILocation(line: 10, column: 25, scope: !27)
!32 = !DILocation(line: 10, column: 11, scope: !27)
!33 = !DILocation(line: 10, column: 29, scope: !27)
!34 = !DILocation(line: 11, column: 19, scope: !27)
!35 = !DILocation(line: 11, column: 12, scope: !27)
!36 = !DILocation(line: 13, column: 1, scope: !18)
!37 = distinct !DISubprogram(name: "sum", scope: !3, file: !3, line: 14, type: !38, scopeLine: 14, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !21)
!38 = !DISubroutineType(types: !39)
!39 = !{!40, !41, !5}
!40 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!41 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !42, size: 64)
!42 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !5)
!43 = !DILocalVariable(name: "values", arg: 1, scope: !37, file: !3, line: 14, type: !41)
!44 = !DILocation(line: 14, column: 21, scope: !37)
!45 = !DILocalVariable(name: "count", arg: 2, scope: !37, file: !3, line: 14, type: !5)
!46 = !DILocation(line: 14, column: 33, scope: !37)
!47 = !DILocalVariable(name: "all", scope: !37, file: !3, line: 15, type: !40)
!48 = !DILocation(line: 15, column: 8, scope: !37)
!49 = !DILocalVariable(name: "i", scope: !50, file: !3, line: 16, type: !5)
!50 = distinct !DILexicalBlock(scope: !37, file: !3, line: 16, column: 3)
!51 = !DILocation(line: 16, column: 12, scope: !50)
!52 = !DILocation(line: 16, column: 8, scope: !50)
!53 = !DILocation(line: 16, column: 19, scope: !54)
!54 = distinct !DILexicalBlock(scope: !50, file: !3, line: 16, column: 3)
!55 = !DILocation(line: 16, column: 23, scope: !54)
!56 = !DILocation(line: 16, column: 21, scope: !54)
!57 = !DILocation(line: 16, column: 3, scope: !50)
!58 = !DILocation(line: 17, column: 9, scope: !59)
!59 = distinct !DILexicalBlock(scope: !60, file: !3, line: 17, column: 9)
!60 = distinct !DILexicalBlock(scope: !54, file: !3, line: 16, column: 35)
!61 = !DILocation(line: 17, column: 16, scope: !59)
!62 = !DILocation(line: 17, column: 19, scope: !59)
!63 = !DILocation(line: 17, column: 9, scope: !60)
!64 = !DILocation(line: 17, column: 24, scope: !59)
!65 = !DILocation(line: 18, column: 12, scope: !60)
!66 = !DILocation(line: 18, column: 19, scope: !60)
!67 = !DILocation(line: 18, column: 22, scope: !60)
!68 = !DILocation(line: 18, column: 36, scope: !60)
!69 = !DILocation(line: 18, column: 43, scope: !60)
!70 = !DILocation(line: 18, column: 9, scope: !60)
!71 = !DILocation(line: 19, column: 3, scope: !60)
!72 = !DILocation(line: 16, column: 31, scope: !54)
!73 = !DILocation(line: 16, column: 3, scope: !54)
!74 = distinct !{!74, !57, !75, !76}
!75 = !DILocation(line: 19, column: 3, scope: !50)
!76 = !{!"llvm.loop.mustprogress"}
!77 = !DILocation(line: 20, column: 10, scope: !37)
!78 = !DILocation(line: 20, column: 3, scope: !37)
!79 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 22, type: !80, scopeLine: 22, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !21)
!80 = !DISubroutineType(types: !81)
!81 = !{!5, !5, !82}
!82 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !83, size: 64)
!83 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !84, size: 64)
!84 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!85 = !DILocalVariable(name: "argc", arg: 1, scope: !79, file: !3, line: 22, type: !5)
!86 = !DILocation(line: 22, column: 14, scope: !79)
!87 = !DILocalVariable(name: "argv", arg: 2, scope: !79, file: !3, line: 22, type: !82)
!88 = !DILocation(line: 22, column: 27, scope: !79)
!89 = !DILocalVariable(name: "p", scope: !79, file: !3, line: 23, type: !90)
!90 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "point", file: !3, line: 2, size: 64, elements: !91)
!91 = !{!92, !93}
!92 = !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !90, file: !3, line: 2, baseType: !5, size: 32)
!93 = !DIDerivedType(tag: DW_TAG_member, name: "y", scope: !90, file: !3, line: 2, baseType: !5, size: 32, offset: 32)
!94 = !DILocation(line: 23, column: 16, scope: !79)
!95 = !DILocation(line: 23, column: 20, scope: !79)
!96 = !DILocation(line: 23, column: 21, scope: !79)
!97 = !DILocation(line: 23, column: 34, scope: !79)
!98 = !DILocation(line: 23, column: 27, scope: !79)
!99 = !DILocation(line: 24, column: 3, scope: !79)
!100 = !DILocation(line: 24, column: 12, scope: !79)
!101 = !DILocation(line: 24, column: 14, scope: !79)
!102 = !DILocation(line: 24, column: 29, scope: !103)
!103 = distinct !DILexicalBlock(scope: !79, file: !3, line: 24, column: 20)
!104 = !DILocation(line: 24, column: 24, scope: !103)
!105 = !DILocation(line: 24, column: 26, scope: !103)
!106 = !DILocation(line: 24, column: 47, scope: !107)
!107 = distinct !DILexicalBlock(scope: !103, file: !3, line: 24, column: 45)
!108 = !DILocation(line: 24, column: 49, scope: !107)
!109 = !DILocation(line: 24, column: 45, scope: !103)
!110 = !DILocation(line: 24, column: 54, scope: !107)
!111 = distinct !{!111, !99, !112, !76}
!112 = !DILocation(line: 24, column: 61, scope: !79)
!113 = !DILocation(line: 25, column: 15, scope: !79)
!114 = !DILocation(line: 25, column: 10, scope: !79)
!115 = !DILocation(line: 25, column: 31, scope: !79)
!116 = !DILocation(line: 25, column: 29, scope: !79)
!117 = !DILocation(line: 25, column: 3, scope: !79)
!118 = distinct !DISubprogram(name: "add", scope: !3, file: !3, line: 5, type: !119, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !21)
!119 = !DISubroutineType(types: !120)
!120 = !{!5, !121, !5}
!121 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !90, size: 64)
!122 = !DILocalVariable(name: "p", arg: 1, scope: !118, file: !3, line: 5, type: !121)
!123 = !DILocation(line: 5, column: 30, scope: !118)
!124 = !DILocalVariable(name: "unused", arg: 2, scope: !118, file: !3, line: 5, type: !5)
!125 = !DILocation(line: 5, column: 37, scope: !118)
!126 = !DILocation(line: 5, column: 54, scope: !118)
!127 = !DILocation(line: 5, column: 57, scope: !118)
!128 = !DILocation(line: 5, column: 61, scope: !118)
!129 = !DILocation(line: 5, column: 64, scope: !118)
!130 = !DILocation(line: 5, column: 59, scope: !118)
!131 = !DILocation(line: 5, column: 47, scope: !118)
