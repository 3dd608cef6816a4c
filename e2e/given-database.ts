import { signUpByApi } from '../tools/api-session.ts'
import { expect, newcomer } from './bey.ts'

/** A database of Bey's that takes queries, in an organization of its own, and what tests ask of it by the API. */
export async function givenDatabase(bey: { url: string }, name: string) {
  const session = await signUpByApi(bey.url, newcomer())
  const { client } = session
  const { id } = await client.call('databases.create', { body: { provider: 'embedded', name } })
  const params = { id }
  const read = (databaseId = id) => client.call('databases.get', { params: { id: databaseId } })
  const isAvailable = () =>
    expect.poll(async () => (await read()).status, { timeout: 90_000 }).toBe('available')
  await isAvailable()
  return {
    session,
    client,
    id,
    params,
    read,
    isAvailable,
    async execute(statement: string): Promise<void> {
      const { error } = await client.call('databases.execute', { params, body: { statement } })
      expect(error).toBeNull()
    },
  }
}
