type Step = { key: string; type: string; [field: string]: unknown }

/** Names of things that the steps use: an imported cluster and a node of it, a secret to rotate, and the address of the database. */
export const chaosNames = {
  cluster: 'chaos',
  node: 'outside-drained-1',
  rotated: 'chaos-rotated',
  databaseUrl: 'chaos-database-url',
}

/** A definition as the API takes it; each step is called like its key. */
export function graph(name: string, steps: Step[]) {
  return { name, parallel: 4, steps: steps.map((step) => ({ name: step.key, ...step })) }
}

export type { Step }
