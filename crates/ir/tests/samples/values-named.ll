; ModuleID = 'values.c'
source_filename = "values.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.point = type { i32, i32 }

@table = internal global [4 x i32] [i32 3, i32 1, i32 4, i32 1], align 16
@.str = private unnamed_addr constant [6 x i8] c"seven\00", align 1

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @choose(i32 noundef %n) #0 {
entry:
  %retval = alloca i32, align 4
  %n.addr = alloca i32, align 4
  store i32 %n, ptr %n.addr, align 4
  %0 = load i32, ptr %n.addr, align 4
  switch i32 %0, label %sw.default [
    i32 1, label %sw.bb
    i32 2, label %sw.bb1
    i32 7, label %sw.bb2
  ]

sw.bb:                                            ; preds = %entry
  store i32 10, ptr %retval, align 4
  br label %return

sw.bb1:                                           ; preds = %entry
  %1 = load i32, ptr %n.addr, align 4
  %idxprom = sext i32 %1 to i64
  %arrayidx = getelementptr inbounds [4 x i32], ptr @table, i64 0, i64 %idxprom
  %2 = load i32, ptr %arrayidx, align 4
  store i32 %2, ptr %retval, align 4
  br label %return

sw.bb2:                                           ; preds = %entry
  %3 = load i32, ptr %n.addr, align 4
  call void @show(ptr noundef @.str, i32 noundef %3)
  store i32 70, ptr %retval, align 4
  br label %return

sw.default:                                       ; preds = %entry
  %4 = load i32, ptr %n.addr, align 4
  store i32 %4, ptr %retval, align 4
  br label %return

return:                                           ; preds = %sw.default, %sw.bb2, %sw.bb1, %sw.bb
  %5 = load i32, ptr %retval, align 4
  ret i32 %5
}

declare void @show(ptr noundef, i32 noundef) #1

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i64 @sum(ptr noundef %values, i32 noundef %count) #0 {
entry:
  %values.addr = alloca ptr, align 8
  %count.addr = alloca i32, align 4
  %all = alloca i64, align 8
  %i = alloca i32, align 4
  store ptr %values, ptr %values.addr, align 8
  store i32 %count, ptr %count.addr, align 4
  store i64 0, ptr %all, align 8
  store i32 0, ptr %i, align 4
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %0 = load i32, ptr %i, align 4
  %1 = load i32, ptr %count.addr, align 4
  %cmp = icmp slt i32 %0, %1
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %2 = load ptr, ptr %values.addr, align 8
  %3 = load i32, ptr %i, align 4
  %idxprom = sext i32 %3 to i64
  %arrayidx = getelementptr inbounds i32, ptr %2, i64 %idxprom
  %4 = load i32, ptr %arrayidx, align 4
  %cmp1 = icmp slt i32 %4, 0
  br i1 %cmp1, label %if.then, label %if.end

if.then:                                          ; preds = %for.body
  br label %for.inc

if.end:                                           ; preds = %for.body
  %5 = load ptr, ptr %values.addr, align 8
  %6 = load i32, ptr %i, align 4
  %idxprom2 = sext i32 %6 to i64
  %arrayidx3 = getelementptr inbounds i32, ptr %5, i64 %idxprom2
  %7 = load i32, ptr %arrayidx3, align 4
  %cmp4 = icmp sgt i32 %7, 100
  br i1 %cmp4, label %cond.true, label %cond.false

cond.true:                                        ; preds = %if.end
  br label %cond.end

cond.false:                                       ; preds = %if.end
  %8 = load ptr, ptr %values.addr, align 8
  %9 = load i32, ptr %i, align 4
  %idxprom5 = sext i32 %9 to i64
  %arrayidx6 = getelementptr inbounds i32, ptr %8, i64 %idxprom5
  %10 = load i32, ptr %arrayidx6, align 4
  br label %cond.end

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi i32 [ 100, %cond.true ], [ %10, %cond.false ]
  %conv = sext i32 %cond to i64
  %11 = load i64, ptr %all, align 8
  %add = add nsw i64 %11, %conv
  store i64 %add, ptr %all, align 8
  br label %for.inc

for.inc:                                          ; preds = %cond.end, %if.then
  %12 = load i32, ptr %i, align 4
  %inc = add nsw i32 %12, 1
  store i32 %inc, ptr %i, align 4
  br label %for.cond, !llvm.loop !6

for.end:                                          ; preds = %for.cond
  %13 = load i64, ptr %all, align 8
  ret i64 %13
}

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @main(i32 noundef %argc, ptr noundef %argv) #0 {
entry:
  %retval = alloca i32, align 4
  %argc.addr = alloca i32, align 4
  %argv.addr = alloca ptr, align 8
  %p = alloca %struct.point, align 4
  store i32 0, ptr %retval, align 4
  store i32 %argc, ptr %argc.addr, align 4
  store ptr %argv, ptr %argv.addr, align 8
  %x = getelementptr inbounds %struct.point, ptr %p, i32 0, i32 0
  %0 = load i32, ptr %argc.addr, align 4
  store i32 %0, ptr %x, align 4
  %y = getelementptr inbounds %struct.point, ptr %p, i32 0, i32 1
  %1 = load i32, ptr %argc.addr, align 4
  %call = call i32 @choose(i32 noundef %1)
  store i32 %call, ptr %y, align 4
  br label %while.cond

while.cond:                                       ; preds = %if.end, %entry
  %x1 = getelementptr inbounds %struct.point, ptr %p, i32 0, i32 0
  %2 = load i32, ptr %x1, align 4
  %cmp = icmp slt i32 %2, 10
  br i1 %cmp, label %while.body, label %while.end

while.body:                                       ; preds = %while.cond
  %call2 = call i32 @add(ptr noundef %p, i32 noundef 5)
  %x3 = getelementptr inbounds %struct.point, ptr %p, i32 0, i32 0
  %3 = load i32, ptr %x3, align 4
  %add = add nsw i32 %3, %call2
  store i32 %add, ptr %x3, align 4
  %y4 = getelementptr inbounds %struct.point, ptr %p, i32 0, i32 1
  %4 = load i32, ptr %y4, align 4
  %cmp5 = icmp sgt i32 %4, 3
  br i1 %cmp5, label %if.then, label %if.end

if.then:                                          ; preds = %while.body
  br label %while.end

if.end:                                           ; preds = %while.body
  br label %while.cond, !llvm.loop !8

while.end:                                        ; preds = %if.then, %while.cond
  %call6 = call i64 @sum(ptr noundef @table, i32 noundef 4)
  %conv = trunc i64 %call6 to i32
  %call7 = call i32 @add(ptr noundef %p, i32 noundef 6)
  %add8 = add nsw i32 %conv, %call7
  ret i32 %add8
}

; Function Attrs: noinline nounwind optnone uwtable
define internal i32 @add(ptr noundef %p, i32 noundef %unused) #0 {
entry:
  %p.addr = alloca ptr, align 8
  %unused.addr = alloca i32, align 4
  store ptr %p, ptr %p.addr, align 8
  store i32 %unused, ptr %unused.addr, align 4
  %0 = load ptr, ptr %p.addr, align 8
  %x = getelementptr inbounds %struct.point, ptr %0, i32 0, i32 0
  %1 = load i32, ptr %x, align 4
  %2 = load ptr, ptr %p.addr, align 8
  %y = getelementptr inbounds %struct.point, ptr %2, i32 0, i32 1
  %3 = load i32, ptr %y, align 4
  %add = add nsw i32 %1, %3
  ret i32 %add
}

attributes #0 = { noinline nounwind optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }

!llvm.module.flags = !{!0, !1, !2, !3, !4}
!llvm.ident = !{!5}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{i32 7, !"frame-pointer", i32 2}
!5 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!6 = distinct !{!6, !7}
!7 = !{!"llvm.loop.mustprogress"}
!8 = distinct !{!8, !7}
