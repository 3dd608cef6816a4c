export const serverPackages: readonly string[]
export function productFiles(root: string): string[]
export function isProductFile(path: string): boolean
export function isUnread(name: string): boolean
