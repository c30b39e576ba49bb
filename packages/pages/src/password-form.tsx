import type { Markup } from './markup.js';

export function PasswordForm({
  action,
  texts,
}: {
  readonly action: string;
  readonly texts: { readonly pid: string; readonly password: string; readonly signIn: string };
}): Markup {
  return (
    <form class="sign-in" method="post" action={action}>
      <label>
        {texts.pid}{' '}
        <input
          type="text"
          name="pid"
          inputmode="numeric"
          required
          autocomplete="username"
          spellcheck={false}
        />
      </label>
      <label>
        {texts.password} <input type="password" name="password" required autocomplete="current-password" />
      </label>
      <button type="submit">{texts.signIn}</button>
    </form>
  );
}
