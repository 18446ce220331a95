;; Inner products of one query with rows of codes, four rows at a time.
;;
;; The query is 16-bit, the rows are 8-bit integers; both are padded with zeros to `stride` codes, a multiple of 16.
;; Eight codes of a row are widened to 16 bits as they are loaded and multiplied with eight codes of the query; pairs of
;; products are added into four 32-bit sums a row. The caller has scaled the query so that no sum can leave 32 bits.
;; Four rows share every load of the query, which is what makes this faster than one row at a time.
(module
  (memory (import "env" "memory") 1)

  ;; Writes the products of the rows from address `row` on to `out`, as 32-bit integers. `count` is rounded up to a multiple
  ;; of four: up to three rows after the last are read, and as many products written.
  (func (export "products")
    (param $query i32) (param $row i32) (param $count i32) (param $stride i32) (param $out i32)
    (local $outEnd i32) (local $rowEnd i32) (local $queryAt i32) (local $codes v128)
    (local $row1 i32) (local $row2 i32) (local $row3 i32)
    (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128)

    (local.set $outEnd (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $fourRows
        (br_if $done (i32.ge_u (local.get $out) (local.get $outEnd)))
        (local.set $rowEnd (i32.add (local.get $row) (local.get $stride)))
        (local.set $row1 (local.get $rowEnd))
        (local.set $row2 (i32.add (local.get $row1) (local.get $stride)))
        (local.set $row3 (i32.add (local.get $row2) (local.get $stride)))
        (local.set $sum0 (v128.const i32x4 0 0 0 0))
        (local.set $sum1 (v128.const i32x4 0 0 0 0))
        (local.set $sum2 (v128.const i32x4 0 0 0 0))
        (local.set $sum3 (v128.const i32x4 0 0 0 0))
        (local.set $queryAt (local.get $query))

        (loop $sixteenCodes
          (local.set $codes (v128.load (local.get $queryAt)))
          (local.set $sum0 (i32x4.add (local.get $sum0)
            (i32x4.dot_i16x8_s (local.get $codes) (v128.load8x8_s (local.get $row)))))
          (local.set $sum1 (i32x4.add (local.get $sum1)
            (i32x4.dot_i16x8_s (local.get $codes) (v128.load8x8_s (local.get $row1)))))
          (local.set $sum2 (i32x4.add (local.get $sum2)
            (i32x4.dot_i16x8_s (local.get $codes) (v128.load8x8_s (local.get $row2)))))
          (local.set $sum3 (i32x4.add (local.get $sum3)
            (i32x4.dot_i16x8_s (local.get $codes) (v128.load8x8_s (local.get $row3)))))

          (local.set $codes (v128.load offset=16 (local.get $queryAt)))
          (local.set $sum0 (i32x4.add (local.get $sum0)
            (i32x4.dot_i16x8_s (local.get $codes) (v128.load8x8_s offset=8 (local.get $row)))))
          (local.set $sum1 (i32x4.add (local.get $sum1)
            (i32x4.dot_i16x8_s (local.get $codes) (v128.load8x8_s offset=8 (local.get $row1)))))
          (local.set $sum2 (i32x4.add (local.get $sum2)
            (i32x4.dot_i16x8_s (local.get $codes) (v128.load8x8_s offset=8 (local.get $row2)))))
          (local.set $sum3 (i32x4.add (local.get $sum3)
            (i32x4.dot_i16x8_s (local.get $codes) (v128.load8x8_s offset=8 (local.get $row3)))))

          (local.set $queryAt (i32.add (local.get $queryAt) (i32.const 32)))
          (local.set $row (i32.add (local.get $row) (i32.const 16)))
          (local.set $row1 (i32.add (local.get $row1) (i32.const 16)))
          (local.set $row2 (i32.add (local.get $row2) (i32.const 16)))
          (local.set $row3 (i32.add (local.get $row3) (i32.const 16)))
          (br_if $sixteenCodes (i32.lt_u (local.get $row) (local.get $rowEnd))))

        (i32.store (local.get $out) (call $sumOf (local.get $sum0)))
        (i32.store offset=4 (local.get $out) (call $sumOf (local.get $sum1)))
        (i32.store offset=8 (local.get $out) (call $sumOf (local.get $sum2)))
        (i32.store offset=12 (local.get $out) (call $sumOf (local.get $sum3)))
        (local.set $out (i32.add (local.get $out) (i32.const 16)))
        ;; The fourth row has been read to its end, where the next four begin.
        (local.set $row (local.get $row3))
        (br $fourRows))))

  ;; The same with rows that stand anywhere: `list` has the number of each, 32 bits, from `rows` on. Up to three numbers more are read.
  (func (export "listed")
    (param $query i32) (param $rows i32) (param $list i32) (param $count i32) (param $stride i32) (param $out i32)
    (local $outEnd i32) (local $rowEnd i32) (local $queryAt i32) (local $codes v128)
    (local $row0 i32) (local $row1 i32) (local $row2 i32) (local $row3 i32)
    (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128)

    (local.set $outEnd (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $fourRows
        (br_if $done (i32.ge_u (local.get $out) (local.get $outEnd)))
        (local.set $row0 (i32.add (local.get $rows)
          (i32.mul (i32.load (local.get $list)) (local.get $stride))))
        (local.set $row1 (i32.add (local.get $rows)
          (i32.mul (i32.load offset=4 (local.get $list)) (local.get $stride))))
        (local.set $row2 (i32.add (local.get $rows)
          (i32.mul (i32.load offset=8 (local.get $list)) (local.get $stride))))
        (local.set $row3 (i32.add (local.get $rows)
          (i32.mul (i32.load offset=12 (local.get $list)) (local.get $stride))))
        (local.set $rowEnd (i32.add (local.get $row0) (local.get $stride)))
        (local.set $sum0 (v128.const i32x4 0 0 0 0))
        (local.set $sum1 (v128.const i32x4 0 0 0 0))
        (local.set $sum2 (v128.const i32x4 0 0 0 0))
        (local.set $sum3 (v128.const i32x4 0 0 0 0))
        (local.set $queryAt (local.get $query))

        (loop $sixteenCodes
          (local.set $codes (v128.load (local.get $queryAt)))
          (local.set $sum0 (i32x4.add (local.get $sum0)
            (i32x4.dot_i16x8_s (local.get $codes) (v128.load8x8_s (local.get $row0)))))
          (local.set $sum1 (i32x4.add (local.get $sum1)
            (i32x4.dot_i16x8_s (local.get $codes) (v128.load8x8_s (local.get $row1)))))
          (local.set $sum2 (i32x4.add (local.get $sum2)
            (i32x4.dot_i16x8_s (local.get $codes) (v128.load8x8_s (local.get $row2)))))
          (local.set $sum3 (i32x4.add (local.get $sum3)
            (i32x4.dot_i16x8_s (local.get $codes) (v128.load8x8_s (local.get $row3)))))

          (local.set $codes (v128.load offset=16 (local.get $queryAt)))
          (local.set $sum0 (i32x4.add (local.get $sum0)
            (i32x4.dot_i16x8_s (local.get $codes) (v128.load8x8_s offset=8 (local.get $row0)))))
          (local.set $sum1 (i32x4.add (local.get $sum1)
            (i32x4.dot_i16x8_s (local.get $codes) (v128.load8x8_s offset=8 (local.get $row1)))))
          (local.set $sum2 (i32x4.add (local.get $sum2)
            (i32x4.dot_i16x8_s (local.get $codes) (v128.load8x8_s offset=8 (local.get $row2)))))
          (local.set $sum3 (i32x4.add (local.get $sum3)
            (i32x4.dot_i16x8_s (local.get $codes) (v128.load8x8_s offset=8 (local.get $row3)))))

          (local.set $queryAt (i32.add (local.get $queryAt) (i32.const 32)))
          (local.set $row0 (i32.add (local.get $row0) (i32.const 16)))
          (local.set $row1 (i32.add (local.get $row1) (i32.const 16)))
          (local.set $row2 (i32.add (local.get $row2) (i32.const 16)))
          (local.set $row3 (i32.add (local.get $row3) (i32.const 16)))
          (br_if $sixteenCodes (i32.lt_u (local.get $row0) (local.get $rowEnd))))

        (i32.store (local.get $out) (call $sumOf (local.get $sum0)))
        (i32.store offset=4 (local.get $out) (call $sumOf (local.get $sum1)))
        (i32.store offset=8 (local.get $out) (call $sumOf (local.get $sum2)))
        (i32.store offset=12 (local.get $out) (call $sumOf (local.get $sum3)))
        (local.set $list (i32.add (local.get $list) (i32.const 16)))
        (local.set $out (i32.add (local.get $out) (i32.const 16)))
        (br $fourRows))))

  ;; The same with a row, of 8-bit integers, in the place of the query.
  (func (export "listedByRow")
    (param $query i32) (param $rows i32) (param $list i32) (param $count i32) (param $stride i32) (param $out i32)
    (local $outEnd i32) (local $rowEnd i32) (local $queryAt i32) (local $codes v128)
    (local $row0 i32) (local $row1 i32) (local $row2 i32) (local $row3 i32)
    (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128)

    (local.set $outEnd (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $fourRows
        (br_if $done (i32.ge_u (local.get $out) (local.get $outEnd)))
        (local.set $row0 (i32.add (local.get $rows)
          (i32.mul (i32.load (local.get $list)) (local.get $stride))))
        (local.set $row1 (i32.add (local.get $rows)
          (i32.mul (i32.load offset=4 (local.get $list)) (local.get $stride))))
        (local.set $row2 (i32.add (local.get $rows)
          (i32.mul (i32.load offset=8 (local.get $list)) (local.get $stride))))
        (local.set $row3 (i32.add (local.get $rows)
          (i32.mul (i32.load offset=12 (local.get $list)) (local.get $stride))))
        (local.set $rowEnd (i32.add (local.get $row0) (local.get $stride)))
        (local.set $sum0 (v128.const i32x4 0 0 0 0))
        (local.set $sum1 (v128.const i32x4 0 0 0 0))
        (local.set $sum2 (v128.const i32x4 0 0 0 0))
        (local.set $sum3 (v128.const i32x4 0 0 0 0))
        (local.set $queryAt (local.get $query))

        (loop $sixteenCodes
          (local.set $codes (v128.load8x8_s (local.get $queryAt)))
          (local.set $sum0 (i32x4.add (local.get $sum0)
            (i32x4.dot_i16x8_s (local.get $codes) (v128.load8x8_s (local.get $row0)))))
          (local.set $sum1 (i32x4.add (local.get $sum1)
            (i32x4.dot_i16x8_s (local.get $codes) (v128.load8x8_s (local.get $row1)))))
          (local.set $sum2 (i32x4.add (local.get $sum2)
            (i32x4.dot_i16x8_s (local.get $codes) (v128.load8x8_s (local.get $row2)))))
          (local.set $sum3 (i32x4.add (local.get $sum3)
            (i32x4.dot_i16x8_s (local.get $codes) (v128.load8x8_s (local.get $row3)))))

          (local.set $codes (v128.load8x8_s offset=8 (local.get $queryAt)))
          (local.set $sum0 (i32x4.add (local.get $sum0)
            (i32x4.dot_i16x8_s (local.get $codes) (v128.load8x8_s offset=8 (local.get $row0)))))
          (local.set $sum1 (i32x4.add (local.get $sum1)
            (i32x4.dot_i16x8_s (local.get $codes) (v128.load8x8_s offset=8 (local.get $row1)))))
          (local.set $sum2 (i32x4.add (local.get $sum2)
            (i32x4.dot_i16x8_s (local.get $codes) (v128.load8x8_s offset=8 (local.get $row2)))))
          (local.set $sum3 (i32x4.add (local.get $sum3)
            (i32x4.dot_i16x8_s (local.get $codes) (v128.load8x8_s offset=8 (local.get $row3)))))

          (local.set $queryAt (i32.add (local.get $queryAt) (i32.const 16)))
          (local.set $row0 (i32.add (local.get $row0) (i32.const 16)))
          (local.set $row1 (i32.add (local.get $row1) (i32.const 16)))
          (local.set $row2 (i32.add (local.get $row2) (i32.const 16)))
          (local.set $row3 (i32.add (local.get $row3) (i32.const 16)))
          (br_if $sixteenCodes (i32.lt_u (local.get $row0) (local.get $rowEnd))))

        (i32.store (local.get $out) (call $sumOf (local.get $sum0)))
        (i32.store offset=4 (local.get $out) (call $sumOf (local.get $sum1)))
        (i32.store offset=8 (local.get $out) (call $sumOf (local.get $sum2)))
        (i32.store offset=12 (local.get $out) (call $sumOf (local.get $sum3)))
        (local.set $list (i32.add (local.get $list) (i32.const 16)))
        (local.set $out (i32.add (local.get $out) (i32.const 16)))
        (br $fourRows))))

  (func $sumOf (param $sums v128) (result i32)
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $sums)) (i32x4.extract_lane 1 (local.get $sums)))
      (i32.add (i32x4.extract_lane 2 (local.get $sums)) (i32x4.extract_lane 3 (local.get $sums))))))
