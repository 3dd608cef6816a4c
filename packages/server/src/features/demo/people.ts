import type { Role } from '@bey/contract'
import type { Person } from '../../platform/act.ts'
import type { Db } from '../../platform/db/database.ts'
import type { DemoPersonKey } from '../../platform/demo.ts'
import { memberships } from '../../tables/memberships.ts'
import { users } from '../../tables/users.ts'

const invented: Record<DemoPersonKey, { name: string; role: Role; daysAgo: number }> = {
  teo: { name: 'Teo Marsh', role: 'MEMBER', daysAgo: 14 },
  kaya: { name: 'Kaya Lind', role: 'ADMIN', daysAgo: 14 },
  noor: { name: 'Noor Haddad', role: 'MEMBER', daysAgo: 12 },
  mara: { name: 'Mara Voss', role: 'MEMBER', daysAgo: 10 },
  ines: { name: 'Ines Okafor', role: 'VIEWER', daysAgo: 3 },
}

/** Makes the five colleagues of a demo: people without a password, who go with it. */
export async function makePeople(
  db: Db,
  organizationId: number,
  invitedBy: number,
  now: Date,
): Promise<Record<DemoPersonKey, Person>> {
  const people: Partial<Record<DemoPersonKey, Person>> = {}
  for (const [key, { name, role, daysAgo }] of Object.entries(invented)) {
    const email = `${name.toLowerCase().replace(' ', '.')}.${organizationId}@ostwind.example`
    const createdAt = new Date(now.getTime() - daysAgo * 86_400_000)
    const [row] = await db
      .insert(users)
      .values({ email, name, demoOrganizationId: organizationId, createdAt })
      .returning({ id: users.id })
    if (row === undefined) throw new Error('The colleague was not inserted')
    await db
      .insert(memberships)
      .values({ organizationId, userId: row.id, role, origin: 'invitation', invitedBy, createdAt })
    // The keys of `invented` are those of the type.
    people[key as DemoPersonKey] = { id: row.id, name, email }
  }
  return people as Record<DemoPersonKey, Person>
}
