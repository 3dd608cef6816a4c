import { createClient } from '@bey/client'

export type Person = { name: string; email: string; password: string; organization: string }

/** A logged-in user of a running server, for scripts and tests that need data rather than forms. */
export type BeySession = {
  baseUrl: string
  token: string
  organizationId: number
  client: ReturnType<typeof createClient>
}

export async function signUpByApi(baseUrl: string, person: Person): Promise<BeySession> {
  const { token, user } = await anonymous(baseUrl).call('auth.signup', {
    body: {
      name: person.name,
      email: person.email,
      password: person.password,
      organizationName: person.organization,
    },
  })
  return session(baseUrl, token, user.activeOrganizationId)
}

export async function logInByApi(
  baseUrl: string,
  person: Pick<Person, 'email' | 'password'>,
): Promise<BeySession> {
  const reply = await anonymous(baseUrl).call('auth.login', {
    body: { email: person.email, password: person.password },
  })
  if (!('token' in reply)) throw new Error('The account asks for a second factor.')
  const { token, user } = reply
  return session(baseUrl, token, user.activeOrganizationId)
}

function anonymous(baseUrl: string) {
  return createClient({ baseUrl, getToken: () => null, getOrganizationId: () => null })
}

function session(baseUrl: string, token: string, organizationId: number | null): BeySession {
  if (organizationId === null) throw new Error('The account has no organization.')
  return {
    baseUrl,
    token,
    organizationId,
    client: createClient({ baseUrl, getToken: () => token, getOrganizationId: () => organizationId }),
  }
}
