import type { Config } from '../../config.ts'

/** Whether testers can log in as any user, and a sentence that says why not, or what it means. */
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
  return {
    enabled: true,
    warning: 'Impersonation is on: anyone who sits at this machine can log in as any user. It is audited.',
  }
}
