/** Controls that JSON leaves as they are, and what turns the direction of text round. */
const steering = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * JSON in which nothing can steer a terminal: what could is escaped, and stays the same to who parses it.
 * `value` is something that JSON can hold.
 */
export function jsonText(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replaceAll(
    steering,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
