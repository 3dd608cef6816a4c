import type { BeySession } from './api-session.ts'

const people = [
  { name: 'Grace Hopper', email: 'grace', role: 'ADMIN' },
  { name: 'Ilse Brandt', email: 'ilse', role: 'MEMBER' },
  { name: 'Ruben Sato', email: 'ruben', role: 'VIEWER' },
] as const

/** Adds colleagues who have joined, and two people who have not answered their invitation. */
export async function seedMembers({ client, organizationId }: BeySession): Promise<void> {
  // One account has one address on the whole server, so each seeded organization has people of its own.
  const addressOf = (name: string) => `${name}.${organizationId}@analytical.example`
  for (const { name, email, role } of people) {
    const { results } = await client.call('invitations.create', {
      body: { emails: [addressOf(email)], role, isMailed: false },
    })
    const token = results[0]?.link?.split('#')[1]
    if (token !== undefined) {
      await client.call('invitations.signup', { body: { token, name, password: 'difference-engine-1!' } })
    }
  }
  const emails = [addressOf('lotte'), addressOf('sam')]
  await client.call('invitations.create', { body: { emails, role: 'VIEWER', isMailed: false } })
}
