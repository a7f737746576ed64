export { createProductRepository, type ProductRepository } from "./product-repository.ts";
