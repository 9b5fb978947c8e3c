/** The price of some pieces, in cents. */
export function price(cents, pieces) {
  return cents * pieces;
}
