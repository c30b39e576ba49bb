/** What the form says, as HTML. */
export interface PasswordFormTexts {
  readonly pid: string;
  readonly password: string;
  readonly signIn: string;
}

/** The form that a person signs in with, PID and password; `action` is ready for an attribute. */
export function passwordForm(action: string, { pid, password, signIn }: PasswordFormTexts): string {
  return (
    `<form class="sign-in" method="post" action="${action}">` +
    `<label>${pid} <input type="text" name="pid" inputmode="numeric" required autocomplete="username" spellcheck="false"></label>` +
    `<label>${password} <input type="password" name="password" required autocomplete="current-password"></label>` +
    `<button type="submit">${signIn}</button></form>`
  );
}
