export const account: number
export const environment: Readonly<Record<string, string>>
