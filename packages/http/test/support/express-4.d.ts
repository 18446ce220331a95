/** The version before, by another name; what is used of it is the same. */
declare module "express-4" {
  import express from "express";
  export default express;
}
