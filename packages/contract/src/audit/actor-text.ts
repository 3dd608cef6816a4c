/** A person by name and e-mail address, as every page names them; others by their name alone. */
export function actorText({ name, email }: { name: string; email?: string | null }): string {
  return email == null || email === name ? name : `${name} (${email})`
}
