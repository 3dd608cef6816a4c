/** What most likely stands behind a failed operation, by its words, and what to do about it. The first match counts. */
const causes: readonly (readonly [words: RegExp, cause: string])[] = [
  [/was cancelled by/, 'Nothing is broken: it was stopped on purpose.'],
  [
    /no disk|ENOSPC|EROFS|EACCES|EDQUOT/,
    'Most likely the disk of the server is full, or its data directory cannot be written. Free space there, then resume.',
  ],
  [
    /EADDRINUSE|address (is )?already in use/i,
    'Most likely another program has taken its port. Stop that program, then resume.',
  ],
  [
    /memory|budget|ENOMEM/i,
    'Most likely the machine has no memory left for another cluster. Delete one that is not needed, then resume.',
  ],
  [
    /Only \d+ of \d+ nodes|After \d+ s only/,
    'Most likely the machine was too busy for the nodes to come up in time. Resume once it is less busy.',
  ],
  [
    /did not start|no address|does not answer|connection (was|is) (refused|lost)/,
    'Most likely the control plane ended soon after it started. Its last log lines are below.',
  ],
  [
    /Unexpected error/,
    'This looks like a defect of the server and not of your input. Its own log says more about the run.',
  ],
]

/** A sentence about the likely cause; where none is known, where to look instead. */
export function likelyCause(error: string | null): string {
  const found = causes.find(([words]) => words.test(error ?? ''))
  return found?.[1] ?? 'The log below says where it stopped and why.'
}
