;; In how few bits each token of a question differs from a token of a text.
;;
;; A token is a row of `bytes` bytes, a multiple of 16. Rows of 48 bytes, which all encoders of Loredex make, have a loop of their own without an inner
;; one: it takes .59 of the time. 64 bits are compared at a time: processors count the ones of such a word in one instruction, those of 128 bits in many,
;; unless they have AVX-512.
(module
  (memory (import "env" "memory") 1)

  ;; For each token of the question, from `question` up to `questionEnd`, the least of its distances to the tokens of the text, from `signs` up to
  ;; `signsEnd`, and at most `most`. Written to `out` as 16-bit integers.
  (func (export "leastDistances")
    (param $question i32) (param $questionEnd i32) (param $signs i32) (param $signsEnd i32)
    (param $bytes i32) (param $most i32) (param $out i32)
    (local $at i32) (local $token i32) (local $tokenEnd i32) (local $distance i64) (local $least i64)
    (local $word0 i64) (local $word1 i64) (local $word2 i64) (local $word3 i64) (local $word4 i64) (local $word5 i64)

    (block $done
      (loop $questionTokens
        (br_if $done (i32.ge_u (local.get $question) (local.get $questionEnd)))
        (local.set $least (i64.extend_i32_u (local.get $most)))
        (local.set $token (local.get $signs))

        (block $compared
          (if (i32.eq (local.get $bytes) (i32.const 48))
            (then
              (local.set $word0 (i64.load (local.get $question)))
              (local.set $word1 (i64.load offset=8 (local.get $question)))
              (local.set $word2 (i64.load offset=16 (local.get $question)))
              (local.set $word3 (i64.load offset=24 (local.get $question)))
              (local.set $word4 (i64.load offset=32 (local.get $question)))
              (local.set $word5 (i64.load offset=40 (local.get $question)))
              (loop $tokensOf48
                (br_if $compared (i32.ge_u (local.get $token) (local.get $signsEnd)))
                (local.set $distance
                  (i64.add
                    (i64.add
                      (i64.add
                        (i64.popcnt (i64.xor (local.get $word0) (i64.load (local.get $token))))
                        (i64.popcnt (i64.xor (local.get $word1) (i64.load offset=8 (local.get $token)))))
                      (i64.add
                        (i64.popcnt (i64.xor (local.get $word2) (i64.load offset=16 (local.get $token))))
                        (i64.popcnt (i64.xor (local.get $word3) (i64.load offset=24 (local.get $token))))))
                    (i64.add
                      (i64.popcnt (i64.xor (local.get $word4) (i64.load offset=32 (local.get $token))))
                      (i64.popcnt (i64.xor (local.get $word5) (i64.load offset=40 (local.get $token)))))))
                (local.set $token (i32.add (local.get $token) (i32.const 48)))
                (local.set $least (select (local.get $distance) (local.get $least)
                  (i64.lt_u (local.get $distance) (local.get $least))))
                (br $tokensOf48))))

          (loop $tokens
            (br_if $compared (i32.ge_u (local.get $token) (local.get $signsEnd)))
            (local.set $tokenEnd (i32.add (local.get $token) (local.get $bytes)))
            (local.set $at (local.get $question))
            (local.set $distance (i64.const 0))
            (loop $twoWords
              (local.set $distance (i64.add (local.get $distance) (i64.add
                (i64.popcnt (i64.xor (i64.load (local.get $at)) (i64.load (local.get $token))))
                (i64.popcnt (i64.xor (i64.load offset=8 (local.get $at)) (i64.load offset=8 (local.get $token)))))))
              (local.set $at (i32.add (local.get $at) (i32.const 16)))
              (local.set $token (i32.add (local.get $token) (i32.const 16)))
              (br_if $twoWords (i32.lt_u (local.get $token) (local.get $tokenEnd))))
            (local.set $least (select (local.get $distance) (local.get $least)
              (i64.lt_u (local.get $distance) (local.get $least))))
            (br $tokens)))

        (i64.store16 (local.get $out) (local.get $least))
        (local.set $out (i32.add (local.get $out) (i32.const 2)))
        (local.set $question (i32.add (local.get $question) (local.get $bytes)))
        (br $questionTokens)))))
