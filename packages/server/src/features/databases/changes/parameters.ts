import {
  type DatabaseParameter,
  manageLimits,
  type ParameterKind,
  parameterRefusal,
  shownParameterValue,
} from '@bey/contract'

import type { Admin } from '../manage/open-admin.ts'
import type { DatabaseRow } from '../store.ts'

type Found = ParameterKind & {
  value: string
  default: string | null
  category: string
  about: string
  source: string
  pending: boolean
  /** It was set by `alter system`. */
  here: boolean
}

const listSql = `
  select name, vartype as type, unit, min_val as min, max_val as max, coalesce(enumvals, '{}') as values, context,
    current_setting(name, true) as value, category, short_desc as about, source, pending_restart as pending,
    boot_val as default, coalesce(sourcefile ~ 'auto.conf$', false) as here
  from pg_settings
  where name !~ '^(debug_|trace_|ignore_|zero_)' and category not in ('Developer Options')
  order by category, name limit ${manageLimits.parameters}`

/** Parameters as PostgreSQL describes them. */
export async function readParameters(admin: Admin): Promise<Found[]> {
  const { rows } = await admin.query<Found>(listSql)
  return rows
}

export function presentParameter(
  found: Found,
  { provider }: Pick<DatabaseRow, 'provider'>,
): DatabaseParameter {
  const { name, value, unit, category, about, context, pending, values } = found
  return {
    name,
    value,
    default: shownParameterValue(found.default ?? '', unit),
    unit,
    category,
    about,
    source: sourceOf(found),
    needsRestart: context === 'postmaster',
    isPending: pending,
    values: [...values],
    refusal: parameterRefusal(found, provider) ?? null,
  }
}

function sourceOf({ source, here }: Found): DatabaseParameter['source'] {
  if (here) return 'set'
  switch (source) {
    case 'default':
    case 'override':
      return 'default'
    case 'command line':
      return 'size'
    case 'configuration file':
      return 'server'
    default:
      return 'server'
  }
}
