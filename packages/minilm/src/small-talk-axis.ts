/** Made by `tools/encoder/small-talk` with the model of this version. */
export const SMALL_TALK_AXIS_OF = "b22559de81a8";

/** The direction of small talk: one signed byte for each dimension. */
export const SMALL_TALK_AXIS =
  "gWKY7wLvQ/7x9mlEafOvuOoJHwAeJwQD3QPP8RczRCMX7ODqLfXj/tL9DRTzTv3n+OUa7uP2+BclAQ7vGw4uvRf4NMIsyf4NwvMNKyz5K+0W0ew09/T/IeYD/B3mC/k4vv0bIrzY9hj91Az6zfMEGCOl/y7Y+vrx4PD8JgT+8EDoEfJD9vD0LvcGF6UOxAAN6BkjAf/88fMW+/b88AoSthUVDOg9Afn1Fvn12Av0JAck5hn4+dXr5vja2yvn/Pv4xwXZGS7rB/4WAjjW4+Ew8PPiB+L87evgGib0BSQo7PTjBQET9/Dj7eLoDtTm6SLj/QPnEe0I+P8Kv/72I9rz9w==";
