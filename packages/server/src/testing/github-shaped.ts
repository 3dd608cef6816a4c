import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type GithubShaped = {
  url: string
  clientId: string
  clientSecret: string
  user: { id: number; login: string; name: string | null }
  emails: { email: string; primary: boolean; verified: boolean }[]
  stop(): Promise<void>
}

type Pending = { redirectUri: string; challenge: string }

/** What GitHub Enterprise answers of OAuth and of its API (https://docs.github.com/en/apps/oauth-apps). */
export async function startGithubShaped(): Promise<GithubShaped> {
  const codes = new Map<string, Pending>()
  const tokens = new Set<string>()
  const github: Omit<GithubShaped, 'url' | 'stop'> = {
    clientId: 'github-client',
    clientSecret: 'github-secret',
    user: { id: 7, login: 'ada', name: null },
    emails: [{ email: 'Ada@GitHub.example', primary: true, verified: true }],
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://github.example')
    const json = (status: number, body: unknown) =>
      response
        .writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
        .end(JSON.stringify(body))
    switch (url.pathname) {
      case '/login/oauth/authorize': {
        const get = (name: string) => url.searchParams.get(name) ?? ''
        const code = randomUUID()
        codes.set(code, { redirectUri: get('redirect_uri'), challenge: get('code_challenge') })
        const back = new URL(get('redirect_uri'))
        back.searchParams.set('code', code)
        back.searchParams.set('state', get('state'))
        return void response.writeHead(302, { location: back.href }).end()
      }
      case '/login/oauth/access_token': {
        const form = new URLSearchParams(await textOf(request))
        const code = form.get('code') ?? ''
        const pending = codes.get(code)
        codes.delete(code)
        const verifier = form.get('code_verifier') ?? ''
        const isRight =
          form.get('client_id') === github.clientId &&
          form.get('client_secret') === github.clientSecret &&
          pending?.redirectUri === form.get('redirect_uri') &&
          pending?.challenge === createHash('sha256').update(verifier).digest('base64url')
        // GitHub refuses with 200.
        if (!isRight)
          return void json(200, { error: 'bad_verification_code', error_description: 'Incorrect code.' })
        const token = randomUUID()
        tokens.add(token)
        return void json(200, { access_token: token, token_type: 'bearer', scope: 'read:user,user:email' })
      }
      default: {
        const isKnown = tokens.has((request.headers.authorization ?? '').replace(/^bearer /i, ''))
        if (!isKnown) return void json(401, { message: 'Bad credentials' })
        if (url.pathname === '/api/v3/user') return void json(200, github.user)
        if (url.pathname === '/api/v3/user/emails') return void json(200, github.emails)
        json(404, { message: 'Not Found' })
      }
    }
  }

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(github, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request as AsyncIterable<Buffer>) text += chunk.toString()
  return text
}
