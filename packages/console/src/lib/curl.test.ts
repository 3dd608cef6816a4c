import { expect, test } from 'vitest'
import { curlCommand } from './curl.ts'

const origin = 'http://localhost:8080'

test('a read is one line with the token as a variable', () => {
  expect(curlCommand({ method: 'GET', path: '/api/auth/me' }, origin)).toBe(
    `curl 'http://localhost:8080/api/auth/me' \\\n  -H "Authorization: Bearer $BEY_TOKEN"`,
  )
})

test('whatever a body or a path holds is one word for the shell', () => {
  const command = curlCommand(
    {
      method: 'POST',
      path: "/api/x?q=a'b",
      headers: { 'x-organization-id': '3' },
      body: `{"title":"it's $HOME \`id\`"}`,
    },
    origin,
  )
  expect(command.split(' \\\n  ')).toEqual([
    `curl -X POST 'http://localhost:8080/api/x?q=a'\\''b'`,
    '-H "Authorization: Bearer $BEY_TOKEN"',
    `-H 'x-organization-id: 3'`,
    `-H 'content-type: application/json'`,
    `-d '{"title":"it'\\''s $HOME \`id\`"}'`,
  ])
})
