export { createProductRepository } from "./product-repository.ts";
