/** What a processor calls its instruction set, and the numbers of the calls in it. */
interface Abi {
  /** The kernel's mark of it (AUDIT_ARCH). */
  mark: number;
  ioctl: number;
  unshare: number;
  clone: number;
  clone3: number;
  /** Calls that no build needs; `refusedCalls` says which and why. */
  refused: readonly number[];
}

/**
 * What is refused, in the order of the numbers below: `add_key`, `request_key`, `keyctl` (keys of the
 * user's session, which no namespace hides), `bpf`, `perf_event_open`, `userfaultfd`, `io_uring_setup`,
 * `io_uring_enter`, `io_uring_register` (where attacks on the kernel begin).
 */
const abis: Readonly<Record<string, readonly Abi[]>> = {
  x64: [
    {
      mark: 0xc000003e,
      ioctl: 16,
      unshare: 272,
      clone: 56,
      clone3: 435,
      refused: [248, 249, 250, 321, 298, 323, 425, 426, 427],
    },
    {
      mark: 0x40000003,
      ioctl: 54,
      unshare: 310,
      clone: 120,
      clone3: 435,
      refused: [286, 287, 288, 357, 336, 374, 425, 426, 427],
    },
  ],
  arm64: [
    {
      mark: 0xc00000b7,
      ioctl: 29,
      unshare: 97,
      clone: 220,
      clone3: 435,
      refused: [217, 218, 219, 280, 241, 282, 425, 426, 427],
    },
    {
      mark: 0x40000028,
      ioctl: 54,
      unshare: 337,
      clone: 120,
      clone3: 435,
      refused: [309, 310, 311, 386, 364, 388, 425, 426, 427],
    },
  ],
};

/** Requests of `ioctl` that type into a terminal: TIOCSTI and TIOCLINUX. */
const typing = [0x5412, 0x541c];
/** The flag of `clone` and `unshare` for a new user namespace. */
const newUserNamespace = 0x10000000;
/** Numbers from here on are x32's, which would be another way to each call. */
const firstOfX32 = 0x40000000;

const notPermitted = 0x00050001;
const notThere = 0x00050026;
const allowed = 0x7fff0000;

/** Where the number, the mark and the halves of arguments stand in what a filter looks at. */
const numberAt = 0;
const markAt = 4;
const argumentAt = (index: number): number => 16 + index * 8;

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

const load = (offset: number): Instruction => [0x20, 0, 0, offset];
const answer = (value: number): Instruction => [0x06, 0, 0, value];
/** Goes on if equal, else skips so many. */
const unlessEqualSkip = (value: number, skipped: number): Instruction => [0x15, 0, skipped, value];
const unlessAnyBitSkip = (bits: number, skipped: number): Instruction => [0x45, 0, skipped, bits];
const unlessAtLeastSkip = (value: number, skipped: number): Instruction => [0x35, 0, skipped, value];

/** Answers if an argument of a call fulfils a condition; the number is in the accumulator before and after. */
const withArgument = (
  call: number,
  index: number,
  conditions: readonly ((skipped: number) => Instruction)[],
): Instruction[] => {
  const checks = conditions.flatMap((condition) => [condition(1), answer(notPermitted)]);
  const body = [load(argumentAt(index)), ...checks, load(numberAt)];
  return [unlessEqualSkip(call, body.length), ...body];
};

function rulesOf({ ioctl, unshare, clone, clone3, refused }: Abi): Instruction[] {
  const isNewUser = [(skipped: number) => unlessAnyBitSkip(newUserNamespace, skipped)];
  return [
    load(numberAt),
    unlessAtLeastSkip(firstOfX32, 1),
    answer(notPermitted),
    ...refused.flatMap((call) => [unlessEqualSkip(call, 1), answer(notPermitted)]),
    ...withArgument(
      ioctl,
      1,
      typing.map((request) => (skipped: number) => unlessEqualSkip(request, skipped)),
    ),
    ...withArgument(unshare, 0, isNewUser),
    ...withArgument(clone, 0, isNewUser),
    // Its flags lie where no filter can look; programs then use the one above.
    unlessEqualSkip(clone3, 1),
    answer(notThere),
    answer(allowed),
  ];
}

/**
 * A filter of system calls for commands, as bubblewrap's `--seccomp` reads it; null for processors
 * whose numbers are not known here. Another instruction set than the processor's two gets no call at all.
 */
export function systemCallFilter(arch: string): Uint8Array | null {
  const known = abis[arch];
  if (known === undefined) return null;
  const parts = known.flatMap((abi) => {
    const rules = rulesOf(abi);
    return [unlessEqualSkip(abi.mark, rules.length), ...rules];
  });
  const program = [load(markAt), ...parts, answer(notPermitted)];
  const bytes = new DataView(new ArrayBuffer(program.length * 8));
  program.forEach(([code, ifTrue, ifFalse, value], index) => {
    bytes.setUint16(index * 8, code, true);
    bytes.setUint8(index * 8 + 2, ifTrue);
    bytes.setUint8(index * 8 + 3, ifFalse);
    bytes.setUint32(index * 8 + 4, value, true);
  });
  return new Uint8Array(bytes.buffer);
}
