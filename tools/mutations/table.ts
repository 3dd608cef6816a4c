import { clientMutations } from './client.ts'
import { consoleMutations } from './console.ts'
import { contractMutations } from './contract.ts'
import type { Mutation } from './mutation.ts'
import { serverMutations } from './server.ts'

/** Every way to break the product that a test must notice. */
export const mutations: readonly Mutation[] = [
  ...contractMutations,
  ...clientMutations,
  ...consoleMutations,
  ...serverMutations,
]
