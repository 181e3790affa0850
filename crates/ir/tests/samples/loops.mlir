#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  memref.global "private" constant @table : memref<4xf32> = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]>
  func.func private @ext(i32, f32) -> f32
  func.func @matmul(%arg0: memref<8x8xf32>, %arg1: memref<8x8xf32>, %arg2: memref<8x8xf32>) attributes {llvm.emit_c_interface} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %c8 step %c1 {
      scf.for %arg4 = %c0 to %c8 step %c1 {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = scf.for %arg5 = %c0 to %c8 step %c1 iter_args(%arg6 = %cst) -> (f32) {
          %1 = memref.load %arg0[%arg3, %arg5] : memref<8x8xf32>
          %2 = memref.load %arg1[%arg5, %arg4] : memref<8x8xf32>
          %3 = arith.mulf %1, %2 fastmath<fast> : f32
          %4 = arith.addf %arg6, %3 : f32
          scf.yield %4 : f32
        }
        memref.store %0, %arg2[%arg3, %arg4] : memref<8x8xf32>
      }
    }
    return
  }
  func.func @select(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi slt, %arg0, %arg1 : i32
    %1:2 = scf.if %0 -> (i32, i32) {
      %7 = arith.addi %arg0, %c0_i32 : i32
      scf.yield %7, %arg1 : i32, i32
    } else {
      %7 = arith.muli %arg0, %arg1 : i32
      scf.yield %7, %c0_i32 : i32, i32
    }
    %2 = arith.index_cast %1#0 : i32 to index
    %3 = arith.index_cast %2 : index to i32
    %4 = arith.sitofp %3 : i32 to f32
    %5 = call @ext(%3, %4) : (i32, f32) -> f32
    %6 = arith.fptosi %5 : f32 to i32
    return %6, %1#1 : i32, i32
  }
  func.func private @helper(%arg0: tensor<4x4xf32>, %arg1: f32) -> tensor<4x4xf32> {
    %0 = tensor.empty() : tensor<4x4xf32>
    %1 = linalg.fill ins(%arg1 : f32) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x4xf32>) outs(%1 : tensor<4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %in, %out : f32
      %4 = math.exp %3 : f32
      linalg.yield %4 : f32
    } -> tensor<4x4xf32>
    return %2 : tensor<4x4xf32>
  }
  func.func @main(%arg0: i1, %arg1: i32) -> i32 {
    cf.cond_br %arg0, ^bb1(%arg1 : i32), ^bb2
  ^bb1(%0: i32):  // pred: ^bb0
    %1 = arith.addi %0, %arg1 : i32
    cf.switch %1 : i32, [
      default: ^bb3(%1 : i32),
      1: ^bb2,
      2: ^bb3(%0 : i32)
    ]
  ^bb2:  // 2 preds: ^bb0, ^bb1
    %cst = arith.constant 1.000000e+00 : f32
    %2 = tensor.empty() : tensor<4x4xf32>
    %3 = call @helper(%2, %cst) : (tensor<4x4xf32>, f32) -> tensor<4x4xf32>
    %c0 = arith.constant 0 : index
    %extracted = tensor.extract %3[%c0, %c0] : tensor<4x4xf32>
    %4 = arith.fptosi %extracted : f32 to i32
    cf.br ^bb3(%4 : i32)
  ^bb3(%5: i32):  // 3 preds: ^bb1, ^bb1, ^bb2
    %6 = memref.get_global @table : memref<4xf32>
    %7 = scf.while (%arg2 = %5) : (i32) -> i32 {
      %c10_i32 = arith.constant 10 : i32
      %8 = arith.cmpi slt, %arg2, %c10_i32 : i32
      scf.condition(%8) %arg2 : i32
    } do {
    ^bb0(%arg2: i32):
      %c1_i32 = arith.constant 1 : i32
      %8 = arith.addi %arg2, %c1_i32 : i32
      scf.yield %8 : i32
    }
    affine.for %arg2 = 0 to 4 {
      %8 = affine.load %6[%arg2] : memref<4xf32>
      %9 = arith.addf %8, %8 : f32
      affine.store %9, %6[%arg2] : memref<4xf32>
    }
    return %7 : i32
  }
}

