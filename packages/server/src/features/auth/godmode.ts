import type { Config } from '../../config.ts'

/** Whether testers can log in as any user, and why not. It is not built yet, so it never is. */
export function godmodeStatus(config: Pick<Config, 'godmode' | 'isProduction'>): {
  enabled: boolean
  warning: string
} {
  if (config.isProduction)
    return { enabled: false, warning: 'Impersonation is never available in production.' }
  if (!config.godmode) {
    return {
      enabled: false,
      warning: 'Impersonation is off. It needs BEY_GODMODE=1 on a development server.',
    }
  }
  return { enabled: false, warning: 'Impersonation is not built yet.' }
}
