/** Why the provider's answer did not lead into an account. The console gets the code, never a text, in its address. */
export const oauthRefusals = {
  state_mismatch: 'This sign-in was not begun in this browser, was used before, or has expired. Begin again.',
  not_available: '{Provider} cannot be used to log in at the moment. Log in another way.',
  access_denied: 'The sign-in was cancelled at {Provider}.',
  provider_failed: '{Provider} did not confirm who you are. Try again, or log in another way.',
  email_unverified: 'Your email address at {Provider} is not verified. Verify it there first.',
  account_exists:
    'An account with your email address at {Provider} exists already. Log in with your password, then link {Provider} on your profile.',
  signup_closed: 'This server takes new accounts by invitation only. Ask its operator for an invitation.',
  already_linked: 'This account at {Provider} belongs to another user of this server.',
  other_account: 'This is not the account at {Provider} that is linked to yours.',
  provider_taken: 'You have linked another account at {Provider}. Remove that link first.',
  session_ended: 'Your session has ended meanwhile. Log in again.',
} as const

export type OauthRefusal = keyof typeof oauthRefusals

/** The sentence of a refusal. */
export function oauthRefusalText(code: OauthRefusal, provider: string): string {
  return oauthRefusals[code].replaceAll('{Provider}', provider)
}

export function isOauthRefusal(text: string): text is OauthRefusal {
  return Object.hasOwn(oauthRefusals, text)
}
