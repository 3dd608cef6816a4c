import { asOwner, type SweepCall, type SweepCalls, type World } from '../../testing/sweep.ts'

let counter = 0
const errorEntry = (message: string) => ({ message, timestamp: new Date().toISOString() })

/** An error that was reported to the organization. */
async function errorOf(world: World): Promise<SweepCall & { params: { id: string } }> {
  const entry = errorEntry(`Sweep of ${String.fromCharCode(97 + ((counter += 1) % 26))}`)
  const { body } = await asOwner(world, 'POST', '/api/v1/errors/log', { errors: [entry] })
  return { params: { id: body.errorIds[0] } }
}

export const sweepCalls: SweepCalls = {
  'errors.log': { call: () => ({ body: { errors: [errorEntry('Sweep')] } }) },
  'errors.get': { call: errorOf },
  'errors.update': {
    call: async (world) => ({ ...(await errorOf(world)), body: { status: 'resolved' } }),
  },
  'errors.occurrences': { call: errorOf },
  'errors.occurrence': {
    async call(world) {
      const { params } = await errorOf(world)
      const { body } = await asOwner(world, 'GET', `/api/v1/errors/${params.id}/occurrences`)
      return { params: { id: params.id, occurrenceId: body.occurrences[0].id } }
    },
  },
}
