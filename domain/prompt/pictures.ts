/** What larik says of pictures (spec: prompting, "Results"): in results, and in place of what is not sent. */

/** `how` says from what to what. */
export function pictureScaled(how: string): string {
  return `[The picture was ${how}.]`;
}

/** `because` is a clause. */
export function pictureNotShown(because: string): string {
  return `[A picture is not shown here: ${because}.]`;
}

/** For a model without eyes. */
export const pictureUnseen =
  '[A picture stood here, which this model cannot see. Say so if it matters, and go by what is known of it in words.]';
