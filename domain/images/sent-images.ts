import type { AgentEvent } from '../../ports/event.ts';
import type { Block, ImageBlock, Message } from '../../ports/message.ts';
import type { ResolvedModel } from '../../ports/models.ts';
import { pictureNotShown, pictureUnseen } from '../prompt/pictures.ts';
import type { AgentState } from '../scope.ts';
import { fromBase64, imageBounds, imageFacts, imageProblem } from '../text/image.ts';

/** Why a stored picture cannot be sent. It never changes, and is asked with every request. */
const problems = new WeakMap<ImageBlock, string | null>();

/** A picture that no bounds were held against, such as one of an imported session. */
function problemOf(image: ImageBlock): string | null {
  const known = problems.get(image);
  if (known !== undefined) return known;
  const padding = image.data.endsWith('==') ? 2 : image.data.endsWith('=') ? 1 : 0;
  const size = Math.floor(((image.data.length - padding) * 3) / 4);
  const bytes = size > imageBounds.bytes ? null : fromBase64(image.data);
  const facts = bytes === null ? null : imageFacts(bytes);
  // What is no picture at all is for the provider to refuse.
  const problem = imageProblem(size, facts ?? { width: 0, height: 0 });
  problems.set(image, problem);
  return problem;
}

/** What is sent in place of a picture, or null where it is sent. */
function instead(image: ImageBlock, seesImages: boolean): string | null {
  if (!seesImages) return pictureUnseen;
  const problem = problemOf(image);
  return problem === null ? null : pictureNotShown(problem);
}

function sentBlock(block: Block, seesImages: boolean): Block {
  if (block.type === 'image') {
    const text = instead(block, seesImages);
    return text === null ? block : { type: 'text', text };
  }
  if (block.type !== 'tool_result' || block.images === undefined) return block;
  const notes = block.images.flatMap((image) => instead(image, seesImages) ?? []);
  if (notes.length === 0) return block;
  const { images, ...rest } = block;
  const sent = images.filter((image) => instead(image, seesImages) === null);
  return {
    ...rest,
    content: [block.content, ...notes].filter((text) => text !== '').join('\n'),
    ...(sent.length > 0 && { images: sent }),
  };
}

const holdsImages = ({ blocks }: Message): boolean =>
  blocks.some(
    (block) => block.type === 'image' || (block.type === 'tool_result' && block.images !== undefined),
  );

/**
 * The messages as a model can take them: a text stands where it cannot have a picture (spec: agent-loop,
 * "Healing"). Block by block, so that places stay what they are and requests only grow at their end.
 */
export function withSentImages(messages: readonly Message[], seesImages: boolean): Message[] {
  return messages.map((message) =>
    holdsImages(message)
      ? { ...message, blocks: message.blocks.map((block) => sentBlock(block, seesImages)) }
      : message,
  );
}

/** What the user is told once of a model that cannot see the pictures of this conversation; null otherwise. */
export function unseenImages(
  state: Pick<AgentState, 'messages' | 'blindTold'>,
  { info }: ResolvedModel,
): AgentEvent | null {
  if (info.images || state.blindTold.has(info.ref) || !state.messages.some(holdsImages)) return null;
  state.blindTold.add(info.ref);
  const text = `As far as is known ${info.ref} sees no images, so it gets a note in place of each. If it does see them, say so: larik config set 'models."${info.ref}".images' true`;
  return { type: 'notice', level: 'warning', code: 'images_unseen', text };
}
