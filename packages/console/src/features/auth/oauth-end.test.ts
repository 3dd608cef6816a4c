import { expect, test } from 'vitest'
import { oauthEndOf } from './oauth-end.ts'

test('the end of a sign-in is read from behind the hash, and from is a path of this console only', () => {
  expect(oauthEndOf('#provider=github&code=abc&from=%2Fsecrets')).toEqual({
    kind: 'code',
    provider: 'github',
    code: 'abc',
    from: '/secrets',
  })
  expect(oauthEndOf('#provider=github&code=abc&from=https%3A%2F%2Fevil.example')).toMatchObject({ from: '/' })
  expect(oauthEndOf('#provider=oidc&done=link')).toMatchObject({ kind: 'link' })
  expect(oauthEndOf('#provider=google&error=account_exists')).toMatchObject({
    kind: 'error',
    error: 'account_exists',
  })
})

test('what is none of ours is an error without its words', () => {
  expect(oauthEndOf('#provider=github&error=%3Cb%3EPay+here%3C%2Fb%3E')).toMatchObject({
    kind: 'error',
    error: 'provider_failed',
  })
  expect(oauthEndOf('')).toMatchObject({ kind: 'error', error: 'state_mismatch' })
})
