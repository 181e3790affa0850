; ModuleID = 'unwind.cpp'
source_filename = "unwind.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.square = type <{ %struct.shape, i32, [4 x i8] }>
%struct.shape = type { i32 (...)** }

$__clang_call_terminate = comdat any

$_ZN6squareD0Ev = comdat any

@_ZTV6square = dso_local unnamed_addr constant { [5 x i8*] } { [5 x i8*] [i8* null, i8* bitcast ({ i8*, i8*, i8* }* @_ZTI6square to i8*), i8* bitcast (i32 (%struct.square*)* @_ZNK6square4areaEv to i8*), i8* bitcast (void (%struct.shape*)* @_ZN5shapeD2Ev to i8*), i8* bitcast (void (%struct.square*)* @_ZN6squareD0Ev to i8*)] }, align 8
@_ZTIi = external constant i8*
@_ZTVN10__cxxabiv120__si_class_type_infoE = external global i8*
@_ZTS6square = dso_local constant [8 x i8] c"6square\00", align 1
@_ZTI5shape = external constant i8*
@_ZTI6square = dso_local constant { i8*, i8*, i8* } { i8* bitcast (i8** getelementptr inbounds (i8*, i8** @_ZTVN10__cxxabiv120__si_class_type_infoE, i64 2) to i8*), i8* getelementptr inbounds ([8 x i8], [8 x i8]* @_ZTS6square, i32 0, i32 0), i8* bitcast (i8** @_ZTI5shape to i8*) }, align 8

@_ZN6squareC1Ei = dso_local unnamed_addr alias void (%struct.square*, i32), void (%struct.square*, i32)* @_ZN6squareC2Ei

; Function Attrs: uwtable
define dso_local void @_ZN6squareC2Ei(%struct.square* noundef nonnull align 8 dereferenceable(12) %0, i32 noundef %1) unnamed_addr #0 align 2 personality i8* bitcast (i32 (...)* @__gxx_personality_v0 to i8*) {
  %3 = getelementptr inbounds %struct.square, %struct.square* %0, i64 0, i32 0, i32 0
  store i32 (...)** bitcast (i8** getelementptr inbounds ({ [5 x i8*] }, { [5 x i8*] }* @_ZTV6square, i64 0, inrange i32 0, i64 2) to i32 (...)**), i32 (...)*** %3, align 8, !tbaa !5
  %4 = getelementptr inbounds %struct.square, %struct.square* %0, i64 0, i32 1
  store i32 %1, i32* %4, align 8, !tbaa !8
  %5 = icmp slt i32 %1, 0
  br i1 %5, label %6, label %12

6:                                                ; preds = %2
  %7 = call i8* @__cxa_allocate_exception(i64 4) #9
  %8 = bitcast i8* %7 to i32*
  store i32 %1, i32* %8, align 16, !tbaa !12
  invoke void @__cxa_throw(i8* %7, i8* bitcast (i8** @_ZTIi to i8*), i8* null) #10
          to label %13 unwind label %9

9:                                                ; preds = %6
  %10 = landingpad { i8*, i32 }
          cleanup
  %11 = getelementptr inbounds %struct.square, %struct.square* %0, i64 0, i32 0
  call void @_ZN5shapeD2Ev(%struct.shape* noundef nonnull align 8 dereferenceable(8) %11) #9
  resume { i8*, i32 } %10

12:                                               ; preds = %2
  ret void

13:                                               ; preds = %6
  unreachable
}

declare i8* @__cxa_allocate_exception(i64) local_unnamed_addr

declare void @__cxa_throw(i8*, i8*, i8*) local_unnamed_addr

declare i32 @__gxx_personality_v0(...)

; Function Attrs: mustprogress nofree norecurse nosync nounwind readonly uwtable willreturn
define dso_local noundef i32 @_ZNK6square4areaEv(%struct.square* nocapture noundef nonnull readonly align 8 dereferenceable(12) %0) unnamed_addr #1 align 2 {
  %2 = getelementptr inbounds %struct.square, %struct.square* %0, i64 0, i32 1
  %3 = load i32, i32* %2, align 8, !tbaa !8
  %4 = mul nsw i32 %3, %3
  ret i32 %4
}

; Function Attrs: uwtable
define dso_local noundef i32 @_Z7measurei(i32 noundef %0) local_unnamed_addr #0 personality i8* bitcast (i32 (...)* @__gxx_personality_v0 to i8*) {
  %2 = alloca %struct.square, align 8
  %3 = bitcast %struct.square* %2 to i8*
  call void @llvm.lifetime.start.p0i8(i64 16, i8* nonnull %3) #9
  %4 = getelementptr inbounds %struct.square, %struct.square* %2, i64 0, i32 0, i32 0
  store i32 (...)** bitcast (i8** getelementptr inbounds ({ [5 x i8*] }, { [5 x i8*] }* @_ZTV6square, i64 0, inrange i32 0, i64 2) to i32 (...)**), i32 (...)*** %4, align 8, !tbaa !5
  %5 = getelementptr inbounds %struct.square, %struct.square* %2, i64 0, i32 1
  store i32 %0, i32* %5, align 8, !tbaa !8
  %6 = icmp slt i32 %0, 0
  br i1 %6, label %7, label %16

7:                                                ; preds = %1
  %8 = call i8* @__cxa_allocate_exception(i64 4) #9
  %9 = bitcast i8* %8 to i32*
  store i32 %0, i32* %9, align 16, !tbaa !12
  invoke void @__cxa_throw(i8* %8, i8* bitcast (i8** @_ZTIi to i8*), i8* null) #10
          to label %15 unwind label %12

10:                                               ; preds = %40, %12
  %11 = phi { i8*, i32 } [ %13, %12 ], [ %41, %40 ]
  resume { i8*, i32 } %11

12:                                               ; preds = %7
  %13 = landingpad { i8*, i32 }
          cleanup
  %14 = getelementptr inbounds %struct.square, %struct.square* %2, i64 0, i32 0
  call void @_ZN5shapeD2Ev(%struct.shape* noundef nonnull align 8 dereferenceable(8) %14) #9
  br label %10

15:                                               ; preds = %7
  unreachable

16:                                               ; preds = %1
  %17 = mul nsw i32 %0, %0
  invoke void @_Z3logi(i32 noundef %17)
          to label %18 unwind label %21

18:                                               ; preds = %16
  %19 = load i32, i32* %5, align 8, !tbaa !8
  %20 = mul nsw i32 %19, %19
  br label %37

21:                                               ; preds = %16
  %22 = landingpad { i8*, i32 }
          catch i8* bitcast (i8** @_ZTIi to i8*)
          catch i8* null
  %23 = extractvalue { i8*, i32 } %22, 0
  %24 = extractvalue { i8*, i32 } %22, 1
  %25 = call i32 @llvm.eh.typeid.for(i8* bitcast (i8** @_ZTIi to i8*)) #9
  %26 = icmp eq i32 %24, %25
  %27 = call i8* @__cxa_begin_catch(i8* %23) #9
  br i1 %26, label %28, label %32

28:                                               ; preds = %21
  %29 = bitcast i8* %27 to i32*
  %30 = load i32, i32* %29, align 4, !tbaa !12
  invoke void @_Z3logi(i32 noundef %30)
          to label %31 unwind label %35

31:                                               ; preds = %28
  call void @__cxa_end_catch() #9
  br label %37

32:                                               ; preds = %21
  invoke void @__cxa_rethrow() #10
          to label %46 unwind label %33

33:                                               ; preds = %32
  %34 = landingpad { i8*, i32 }
          cleanup
  invoke void @__cxa_end_catch()
          to label %40 unwind label %43

35:                                               ; preds = %28
  %36 = landingpad { i8*, i32 }
          cleanup
  call void @__cxa_end_catch() #9
  br label %40

37:                                               ; preds = %31, %18
  %38 = phi i32 [ %20, %18 ], [ -1, %31 ]
  %39 = getelementptr inbounds %struct.square, %struct.square* %2, i64 0, i32 0
  call void @_ZN5shapeD2Ev(%struct.shape* noundef nonnull align 8 dereferenceable(12) %39) #9
  call void @llvm.lifetime.end.p0i8(i64 16, i8* nonnull %3) #9
  ret i32 %38

40:                                               ; preds = %33, %35
  %41 = phi { i8*, i32 } [ %36, %35 ], [ %34, %33 ]
  %42 = getelementptr inbounds %struct.square, %struct.square* %2, i64 0, i32 0
  call void @_ZN5shapeD2Ev(%struct.shape* noundef nonnull align 8 dereferenceable(12) %42) #9
  call void @llvm.lifetime.end.p0i8(i64 16, i8* nonnull %3) #9
  br label %10

43:                                               ; preds = %33
  %44 = landingpad { i8*, i32 }
          catch i8* null
  %45 = extractvalue { i8*, i32 } %44, 0
  call void @__clang_call_terminate(i8* %45) #11
  unreachable

46:                                               ; preds = %32
  unreachable
}

; Function Attrs: argmemonly mustprogress nofree nosync nounwind willreturn
declare void @llvm.lifetime.start.p0i8(i64 immarg, i8* nocapture) #2

declare void @_Z3logi(i32 noundef) local_unnamed_addr #3

; Function Attrs: nofree nosync nounwind readnone
declare i32 @llvm.eh.typeid.for(i8*) #4

declare i8* @__cxa_begin_catch(i8*) local_unnamed_addr

declare void @__cxa_rethrow() local_unnamed_addr

declare void @__cxa_end_catch() local_unnamed_addr

; Function Attrs: noinline noreturn nounwind
define linkonce_odr hidden void @__clang_call_terminate(i8* %0) local_unnamed_addr #5 comdat {
  %2 = call i8* @__cxa_begin_catch(i8* %0) #9
  call void @_ZSt9terminatev() #11
  unreachable
}

declare void @_ZSt9terminatev() local_unnamed_addr

; Function Attrs: argmemonly mustprogress nofree nosync nounwind willreturn
declare void @llvm.lifetime.end.p0i8(i64 immarg, i8* nocapture) #2

; Function Attrs: nounwind
declare void @_ZN5shapeD2Ev(%struct.shape* noundef nonnull align 8 dereferenceable(8)) unnamed_addr #6

; Function Attrs: inlinehint nounwind uwtable
define linkonce_odr dso_local void @_ZN6squareD0Ev(%struct.square* noundef nonnull align 8 dereferenceable(12) %0) unnamed_addr #7 comdat align 2 {
  %2 = getelementptr inbounds %struct.square, %struct.square* %0, i64 0, i32 0
  call void @_ZN5shapeD2Ev(%struct.shape* noundef nonnull align 8 dereferenceable(12) %2) #9
  %3 = bitcast %struct.square* %0 to i8*
  call void @_ZdlPv(i8* noundef %3) #12
  ret void
}

; Function Attrs: nobuiltin nounwind
declare void @_ZdlPv(i8* noundef) local_unnamed_addr #8

attributes #0 = { uwtable "frame-pointer"="none" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nofree norecurse nosync nounwind readonly uwtable willreturn "frame-pointer"="none" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { argmemonly mustprogress nofree nosync nounwind willreturn }
attributes #3 = { "frame-pointer"="none" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { nofree nosync nounwind readnone }
attributes #5 = { noinline noreturn nounwind }
attributes #6 = { nounwind "frame-pointer"="none" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #7 = { inlinehint nounwind uwtable "frame-pointer"="none" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #8 = { nobuiltin nounwind "frame-pointer"="none" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #9 = { nounwind }
attributes #10 = { noreturn }
attributes #11 = { noreturn nounwind }
attributes #12 = { builtin nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 7, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 1}
!4 = !{!"Debian clang version 14.0.6"}
!5 = !{!6, !6, i64 0}
!6 = !{!"vtable pointer", !7, i64 0}
!7 = !{!"Simple C++ TBAA"}
!8 = !{!9, !10, i64 8}
!9 = !{!"_ZTS6square", !10, i64 8}
!10 = !{!"int", !11, i64 0}
!11 = !{!"omnipotent char", !7, i64 0}
!12 = !{!10, !10, i64 0}
