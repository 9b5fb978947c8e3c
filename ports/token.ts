declare const held: unique symbol;

/**
 * Names a port to the container. A plain symbol at run time, so any container takes it;
 * the type says what it stands for. A port's interface and its token share one name.
 */
export type Token<T> = symbol & { readonly [held]?: T };

/** Makes the token of a port. */
export function token<T>(name: string): Token<T> {
  return Symbol(name) as Token<T>;
}
