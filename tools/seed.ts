// `npm run seed`: opens the demo organization in a running server (BEY_URL, else http://localhost:8080) for an account that
// it makes, or logs in to.
import { logInByApi, signUpByApi } from './api-session.ts'

const baseUrl = process.env['BEY_URL'] ?? 'http://localhost:8080'
const person = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  password: 'difference-engine-1!',
  organization: 'Analytical Engines',
}

const { client } = await signUpByApi(baseUrl, person).catch(() => logInByApi(baseUrl, person))
const { organizations } = await client.call('auth.me')
const existing = organizations.find(({ demoEndsAt }) => demoEndsAt !== undefined)
const { name } = existing ?? (await client.call('demo.create')).organization
console.log(`${name} at ${baseUrl}: log in as ${person.email} with ${person.password}`)
