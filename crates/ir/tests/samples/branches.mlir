#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  memref.global "private" constant @table : memref<4xf32> = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]>
  func.func private @ext(i32, f32) -> f32
  func.func @matmul(%arg0: memref<8x8xf32>, %arg1: memref<8x8xf32>, %arg2: memref<8x8xf32>) attributes {llvm.emit_c_interface} {
    %cst = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c1 = arith.constant 1 : index
    cf.br ^bb1(%c0 : index)
  ^bb1(%0: index):  // 2 preds: ^bb0, ^bb8
    %1 = arith.cmpi slt, %0, %c8 : index
    cf.cond_br %1, ^bb2, ^bb9
  ^bb2:  // pred: ^bb1
    cf.br ^bb3(%c0 : index)
  ^bb3(%2: index):  // 2 preds: ^bb2, ^bb7
    %3 = arith.cmpi slt, %2, %c8 : index
    cf.cond_br %3, ^bb4, ^bb8
  ^bb4:  // pred: ^bb3
    cf.br ^bb5(%c0, %cst : index, f32)
  ^bb5(%4: index, %5: f32):  // 2 preds: ^bb4, ^bb6
    %6 = arith.cmpi slt, %4, %c8 : index
    cf.cond_br %6, ^bb6, ^bb7
  ^bb6:  // pred: ^bb5
    %7 = memref.load %arg0[%0, %4] : memref<8x8xf32>
    %8 = memref.load %arg1[%4, %2] : memref<8x8xf32>
    %9 = arith.mulf %7, %8 fastmath<fast> : f32
    %10 = arith.addf %5, %9 : f32
    %11 = arith.addi %4, %c1 : index
    cf.br ^bb5(%11, %10 : index, f32)
  ^bb7:  // pred: ^bb5
    memref.store %5, %arg2[%0, %2] : memref<8x8xf32>
    %12 = arith.addi %2, %c1 : index
    cf.br ^bb3(%12 : index)
  ^bb8:  // pred: ^bb3
    %13 = arith.addi %0, %c1 : index
    cf.br ^bb1(%13 : index)
  ^bb9:  // pred: ^bb1
    return
  }
  func.func @select(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi slt, %arg0, %arg1 : i32
    cf.cond_br %0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    cf.br ^bb3(%arg0, %arg1 : i32, i32)
  ^bb2:  // pred: ^bb0
    %1 = arith.muli %arg0, %arg1 : i32
    cf.br ^bb3(%1, %c0_i32 : i32, i32)
  ^bb3(%2: i32, %3: i32):  // 2 preds: ^bb1, ^bb2
    cf.br ^bb4
  ^bb4:  // pred: ^bb3
    %4 = arith.index_cast %2 : i32 to index
    %5 = arith.index_cast %4 : index to i32
    %6 = arith.sitofp %5 : i32 to f32
    %7 = call @ext(%5, %6) : (i32, f32) -> f32
    %8 = arith.fptosi %7 : f32 to i32
    return %8, %3 : i32, i32
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
    %c1_i32 = arith.constant 1 : i32
    %c10_i32 = arith.constant 10 : i32
    %c0 = arith.constant 0 : index
    %cst = arith.constant 1.000000e+00 : f32
    cf.cond_br %arg0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    %0 = arith.addi %arg1, %arg1 : i32
    cf.switch %0 : i32, [
      default: ^bb3(%0 : i32),
      1: ^bb2,
      2: ^bb3(%arg1 : i32)
    ]
  ^bb2:  // 2 preds: ^bb0, ^bb1
    %1 = tensor.empty() : tensor<4x4xf32>
    %2 = call @helper(%1, %cst) : (tensor<4x4xf32>, f32) -> tensor<4x4xf32>
    %extracted = tensor.extract %2[%c0, %c0] : tensor<4x4xf32>
    %3 = arith.fptosi %extracted : f32 to i32
    cf.br ^bb3(%3 : i32)
  ^bb3(%4: i32):  // 3 preds: ^bb1, ^bb1, ^bb2
    %5 = memref.get_global @table : memref<4xf32>
    cf.br ^bb4(%4 : i32)
  ^bb4(%6: i32):  // 2 preds: ^bb3, ^bb5
    %7 = arith.cmpi slt, %6, %c10_i32 : i32
    cf.cond_br %7, ^bb5, ^bb6
  ^bb5:  // pred: ^bb4
    %8 = arith.addi %6, %c1_i32 : i32
    cf.br ^bb4(%8 : i32)
  ^bb6:  // pred: ^bb4
    affine.for %arg2 = 0 to 4 {
      %9 = affine.load %5[%arg2] : memref<4xf32>
      %10 = arith.addf %9, %9 : f32
      affine.store %10, %5[%arg2] : memref<4xf32>
    }
    return %6 : i32
  }
}

