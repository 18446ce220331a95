;; A vector along many axes: for each axis the sum of the vector's numbers times the axis's, in double precision.
;;
;; Each sum is added up in the order of the numbers, as by the plain loop. WebAssembly has no fused operations, so the sums are the same to the last bit.
;; Eight axes are summed at once, each pair in a register: their numbers stand side by side.
(module
  (memory (import "env" "memory") 1)

  ;; `axes` are 32-bit floats: for each eight axes and each number of the vector the eight numbers of the axes. The vector (at address 0, up to
  ;; `hidden` bytes) and the sums (from `sums` to `end`) are 64-bit floats. No fewer than eight axes and one number.
  (func (export "turn")
    (param $hidden i32) (param $axes i32) (param $sums i32) (param $end i32)
    (local $at i32) (local $number v128)
    (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128)

    (loop $eightAxes
      (local.set $at (i32.const 0))
      (local.set $sum0 (v128.const i64x2 0 0))
      (local.set $sum1 (v128.const i64x2 0 0))
      (local.set $sum2 (v128.const i64x2 0 0))
      (local.set $sum3 (v128.const i64x2 0 0))

      (loop $numbers
        (local.set $number (v128.load64_splat (local.get $at)))
        (local.set $sum0 (f64x2.add (local.get $sum0) (f64x2.mul (local.get $number) (f64x2.promote_low_f32x4 (v128.load64_zero (local.get $axes))))))
        (local.set $sum1 (f64x2.add (local.get $sum1) (f64x2.mul (local.get $number) (f64x2.promote_low_f32x4 (v128.load64_zero offset=8 (local.get $axes))))))
        (local.set $sum2 (f64x2.add (local.get $sum2) (f64x2.mul (local.get $number) (f64x2.promote_low_f32x4 (v128.load64_zero offset=16 (local.get $axes))))))
        (local.set $sum3 (f64x2.add (local.get $sum3) (f64x2.mul (local.get $number) (f64x2.promote_low_f32x4 (v128.load64_zero offset=24 (local.get $axes))))))
        (local.set $axes (i32.add (local.get $axes) (i32.const 32)))
        (br_if $numbers (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 8))) (local.get $hidden))))

      (v128.store (local.get $sums) (local.get $sum0))
      (v128.store offset=16 (local.get $sums) (local.get $sum1))
      (v128.store offset=32 (local.get $sums) (local.get $sum2))
      (v128.store offset=48 (local.get $sums) (local.get $sum3))
      (br_if $eightAxes (i32.lt_u (local.tee $sums (i32.add (local.get $sums) (i32.const 64))) (local.get $end))))))
