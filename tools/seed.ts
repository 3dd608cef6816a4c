// `npm run seed`: fills a running server (BEY_URL, else http://localhost:8080) with a believable organization.
import { logInByApi, signUpByApi } from './api-session.ts'
import { seedOrganization } from './seed-organization.ts'

const baseUrl = process.env['BEY_URL'] ?? 'http://localhost:8080'
const person = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  password: 'difference-engine-1!',
  organization: 'Analytical Engines',
}

const session = await signUpByApi(baseUrl, person).catch(() => logInByApi(baseUrl, person))
await seedOrganization(session)
console.log(`${person.organization} at ${baseUrl}: log in as ${person.email} with ${person.password}`)
