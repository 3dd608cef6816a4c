import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { themeBounds, themeModes } from './theme-rules.ts'
import { dateFormats, hourCycles, isTimeZone } from './time-rules.ts'

const upTo = (max: number) => z.number().min(0).max(max)

const triple = z
  .tuple([upTo(themeBounds.lightness), upTo(themeBounds.chroma), upTo(themeBounds.hue)])
  .readonly()

export const themeSettings = z.strictObject({
  themeMode: z.enum(themeModes),
  baseColor: triple,
  accentColor: triple,
  contrast: upTo(themeBounds.contrast),
  animationsEnabled: z.boolean(),
  denseMode: z.boolean(),
})

/** An IANA name. */
export const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'Name a time zone of the IANA database, like Europe/Vienna.')

export const timeFormat = z.strictObject({
  timeZone: timeZone.nullable(),
  dateFormat: z.enum(dateFormats),
  hourCycle: z.enum(hourCycles),
})

const settings = z
  .object({
    theme: themeSettings,
    /** False until a theme was saved: `theme` is then the default, which should not replace a choice of the browser. */
    isThemeSaved: z.boolean(),
    time: timeFormat,
  })
  .meta({ id: 'Settings' })
export type Settings = z.infer<typeof settings>

export const settingsEndpoints = {
  'settings.get': endpoint({
    method: 'GET',
    path: '/api/settings',
    summary: 'What the user chose for themselves: theme, and how times are written',
    access: 'user',
    response: settings,
  }),
  'settings.updateTheme': endpoint({
    method: 'PUT',
    path: '/api/settings',
    summary: 'Keep the theme of the user',
    access: 'user',
    body: z.strictObject({ theme: themeSettings }),
    response: settings,
  }),
  'settings.updateTime': endpoint({
    method: 'PUT',
    path: '/api/settings/time',
    summary: 'Keep the time zone and the format of dates and times of the user',
    access: 'user',
    body: z.strictObject({ time: timeFormat }),
    response: settings,
  }),
} as const
