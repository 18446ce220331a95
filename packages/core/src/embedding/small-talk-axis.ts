/** Made by `tools/encoder/small-talk` with the model of this version. */
export const SMALL_TALK_AXIS_OF = "385632645ccf";

/** The direction of small talk: one signed byte for each dimension. */
export const SMALL_TALK_AXIS =
  "gS2n4AENIhghBEMkJhvTvP/d8vIQQvoU6Q3mDxdQQBkT8unrNRj+DQkMJQzlO/DJ9NMI+ccFAf0C7BX2BQEg0yDsRroa3QEwzwsIE/gHLOYcsvwZBfgB6PkkAgPjBggKxAEVC8TyEfsF6P386dUN9SPTBzwU+BMB7/jc7d4F5xwOM9so+QPwEw3zFbPo5O0MBBQyBQDv6xMb5vEC8SkN9CAE/gk5+Q3Z9PoK3ff/DgwZ8goA+AcNBhj88yXwAt0K9wLj5wj2CO/5EAjbAAEg8f7k7+727OwHLAf/EhUd9hEK9QXU7Pro+QnlGvLrLP3n+OkPAfAQ/+wFAvXsEf386g==";
