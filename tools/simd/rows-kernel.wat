;; The sum of rows of int8 codes, each times a factor of its own, in double precision.
;;
;; Every component is added up in the same order as by the plain loop: four rows at a time, the first two and the last two of them first. WebAssembly
;; has no fused operations, so the sums are the same to the last bit. Eight components are added over all rows before the next eight: their sums stay in registers.
(module
  (memory (import "env" "memory") 1)

  ;; Adds the rows whose addresses stand at `addresses` (32 bits each), times the factors at `factors` (64-bit floats), to the sums at `sums` (64-bit floats).
  ;; Rows and sums have `width` components, a multiple of eight.
  (func (export "addRows")
    (param $addresses i32) (param $factors i32) (param $count i32) (param $width i32) (param $sums i32)
    (local $at i32) (local $address i32) (local $factor i32) (local $inFours i32) (local $end i32)
    (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128)
    (local $factor1 v128) (local $factor2 v128) (local $factor3 v128) (local $factor4 v128)
    (local $codes v128) (local $low1 v128) (local $high1 v128) (local $low2 v128) (local $high2 v128)
    (local $low3 v128) (local $high3 v128) (local $low4 v128) (local $high4 v128)

    (local.set $end (i32.add (local.get $addresses) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $inFours (i32.sub (local.get $end) (i32.shl (i32.and (local.get $count) (i32.const 3)) (i32.const 2))))
    (block $done
      (loop $eightComponents
        (br_if $done (i32.ge_u (local.get $at) (local.get $width)))
        (local.set $sum0 (v128.load (local.get $sums)))
        (local.set $sum1 (v128.load offset=16 (local.get $sums)))
        (local.set $sum2 (v128.load offset=32 (local.get $sums)))
        (local.set $sum3 (v128.load offset=48 (local.get $sums)))
        (local.set $address (local.get $addresses))
        (local.set $factor (local.get $factors))

        (block $noFours
          (loop $fourRows
            (br_if $noFours (i32.ge_u (local.get $address) (local.get $inFours)))
            (local.set $factor1 (v128.load64_splat (local.get $factor)))
            (local.set $codes (v128.load8x8_s (i32.add (local.get $at) (i32.load (local.get $address)))))
            (local.set $low1 (i32x4.extend_low_i16x8_s (local.get $codes)))
            (local.set $high1 (i32x4.extend_high_i16x8_s (local.get $codes)))
            (local.set $factor2 (v128.load64_splat offset=8 (local.get $factor)))
            (local.set $codes (v128.load8x8_s (i32.add (local.get $at) (i32.load offset=4 (local.get $address)))))
            (local.set $low2 (i32x4.extend_low_i16x8_s (local.get $codes)))
            (local.set $high2 (i32x4.extend_high_i16x8_s (local.get $codes)))
            (local.set $factor3 (v128.load64_splat offset=16 (local.get $factor)))
            (local.set $codes (v128.load8x8_s (i32.add (local.get $at) (i32.load offset=8 (local.get $address)))))
            (local.set $low3 (i32x4.extend_low_i16x8_s (local.get $codes)))
            (local.set $high3 (i32x4.extend_high_i16x8_s (local.get $codes)))
            (local.set $factor4 (v128.load64_splat offset=24 (local.get $factor)))
            (local.set $codes (v128.load8x8_s (i32.add (local.get $at) (i32.load offset=12 (local.get $address)))))
            (local.set $low4 (i32x4.extend_low_i16x8_s (local.get $codes)))
            (local.set $high4 (i32x4.extend_high_i16x8_s (local.get $codes)))
            (local.set $sum0 (f64x2.add (local.get $sum0) (f64x2.add
              (f64x2.add
                (f64x2.mul (local.get $factor1) (f64x2.convert_low_i32x4_s (local.get $low1)))
                (f64x2.mul (local.get $factor2) (f64x2.convert_low_i32x4_s (local.get $low2))))
              (f64x2.add
                (f64x2.mul (local.get $factor3) (f64x2.convert_low_i32x4_s (local.get $low3)))
                (f64x2.mul (local.get $factor4) (f64x2.convert_low_i32x4_s (local.get $low4)))))))
            (local.set $sum1 (f64x2.add (local.get $sum1) (f64x2.add
              (f64x2.add
                (f64x2.mul (local.get $factor1) (f64x2.convert_low_i32x4_s (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $low1) (local.get $low1))))
                (f64x2.mul (local.get $factor2) (f64x2.convert_low_i32x4_s (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $low2) (local.get $low2)))))
              (f64x2.add
                (f64x2.mul (local.get $factor3) (f64x2.convert_low_i32x4_s (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $low3) (local.get $low3))))
                (f64x2.mul (local.get $factor4) (f64x2.convert_low_i32x4_s (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $low4) (local.get $low4))))))))
            (local.set $sum2 (f64x2.add (local.get $sum2) (f64x2.add
              (f64x2.add
                (f64x2.mul (local.get $factor1) (f64x2.convert_low_i32x4_s (local.get $high1)))
                (f64x2.mul (local.get $factor2) (f64x2.convert_low_i32x4_s (local.get $high2))))
              (f64x2.add
                (f64x2.mul (local.get $factor3) (f64x2.convert_low_i32x4_s (local.get $high3)))
                (f64x2.mul (local.get $factor4) (f64x2.convert_low_i32x4_s (local.get $high4)))))))
            (local.set $sum3 (f64x2.add (local.get $sum3) (f64x2.add
              (f64x2.add
                (f64x2.mul (local.get $factor1) (f64x2.convert_low_i32x4_s (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $high1) (local.get $high1))))
                (f64x2.mul (local.get $factor2) (f64x2.convert_low_i32x4_s (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $high2) (local.get $high2)))))
              (f64x2.add
                (f64x2.mul (local.get $factor3) (f64x2.convert_low_i32x4_s (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $high3) (local.get $high3))))
                (f64x2.mul (local.get $factor4) (f64x2.convert_low_i32x4_s (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $high4) (local.get $high4))))))))
            (local.set $address (i32.add (local.get $address) (i32.const 16)))
            (local.set $factor (i32.add (local.get $factor) (i32.const 32)))
            (br $fourRows)))

        (block $noRows
          (loop $oneRow
            (br_if $noRows (i32.ge_u (local.get $address) (local.get $end)))
            (local.set $factor1 (v128.load64_splat (local.get $factor)))
            (local.set $codes (v128.load8x8_s (i32.add (local.get $at) (i32.load (local.get $address)))))
            (local.set $low1 (i32x4.extend_low_i16x8_s (local.get $codes)))
            (local.set $high1 (i32x4.extend_high_i16x8_s (local.get $codes)))
            (local.set $sum0 (f64x2.add (local.get $sum0) (f64x2.mul (local.get $factor1)
              (f64x2.convert_low_i32x4_s (local.get $low1)))))
            (local.set $sum1 (f64x2.add (local.get $sum1) (f64x2.mul (local.get $factor1)
              (f64x2.convert_low_i32x4_s (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $low1) (local.get $low1))))))
            (local.set $sum2 (f64x2.add (local.get $sum2) (f64x2.mul (local.get $factor1)
              (f64x2.convert_low_i32x4_s (local.get $high1)))))
            (local.set $sum3 (f64x2.add (local.get $sum3) (f64x2.mul (local.get $factor1)
              (f64x2.convert_low_i32x4_s (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $high1) (local.get $high1))))))
            (local.set $address (i32.add (local.get $address) (i32.const 4)))
            (local.set $factor (i32.add (local.get $factor) (i32.const 8)))
            (br $oneRow)))

        (v128.store (local.get $sums) (local.get $sum0))
        (v128.store offset=16 (local.get $sums) (local.get $sum1))
        (v128.store offset=32 (local.get $sums) (local.get $sum2))
        (v128.store offset=48 (local.get $sums) (local.get $sum3))
        (local.set $sums (i32.add (local.get $sums) (i32.const 64)))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (br $eightComponents)))))
