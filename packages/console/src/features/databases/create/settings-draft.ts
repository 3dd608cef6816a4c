import { type DatabasePlanId, databasePlans, diskQuotaProblem, manageLimits } from '@bey/contract'
import { newParameterKind, newParameterProblem, sizeParameters } from '@bey/contract/databases/new-parameters'

export interface NewParameter {
  name: string
  value: string
}

/** What a new database of this machine is set up with beside its size, as it is typed. */
export interface SettingsDraft {
  parameters: readonly NewParameter[]
  extensions: readonly string[]
  /** Its disk quota in GiB; empty: by its size. */
  quota: string
}

export const noSettings: SettingsDraft = { parameters: [], extensions: [], quota: '' }

const gibibyte = 1024 ** 3

const quotaBytes = (quota: string) => Math.round(Number(quota) * gibibyte)

/** What is wrong with the settings, by the path at which the server finds them. */
export function settingsProblems(
  { parameters, quota }: SettingsDraft,
  freeDiskBytes: number,
): Record<string, string> {
  const ofQuota = quota.trim() === '' ? undefined : diskQuotaProblem(quotaBytes(quota), freeDiskBytes)
  return {
    ...Object.fromEntries(
      parameters.flatMap(({ name, value }) => {
        const problem = newParameterProblem(name, value)
        return problem === undefined ? [] : [[`parameters.${name}`, problem]]
      }),
    ),
    ...(ofQuota === undefined ? {} : { diskQuotaBytes: ofQuota }),
  }
}

/** The settings as they are sent: what was not touched is left out. */
export function settingsBody({ parameters, extensions, quota }: SettingsDraft) {
  return {
    ...(parameters.length > 0 && {
      parameters: Object.fromEntries(parameters.map(({ name, value }) => [name, value.trim()])),
    }),
    ...(extensions.length > 0 && { extensions: [...extensions] }),
    ...(quota.trim() !== '' && { diskQuotaBytes: quotaBytes(quota) }),
  }
}

/**
 * Adds a parameter by name with the value that it has without it, or says why not. A name that is there already changes
 * nothing.
 */
export function withParameter(
  parameters: readonly NewParameter[],
  typed: string,
  plan: DatabasePlanId,
): { parameters: readonly NewParameter[]; name: string } | { problem: string } {
  const kind = newParameterKind(typed)
  if (kind === undefined) {
    return {
      problem:
        typed.trim() === '' ? 'Enter the name of a parameter.' : (newParameterProblem(typed, '') ?? ''),
    }
  }
  const { name } = kind
  if (parameters.some((each) => each.name === name)) return { parameters, name }
  if (parameters.length >= manageLimits.changes)
    return { problem: `Set up to ${manageLimits.changes} parameters.` }
  const bySize = sizeParameters(databasePlans[plan]).find((each) => each.name === name)
  return { parameters: [...parameters, { name, value: bySize?.value ?? kind.default }], name }
}
