import type { Markup } from './markup.js';
import type { FrameTexts } from './words.js';

interface SignInFormProps {
  readonly action: string;
  readonly texts: FrameTexts;
  /** The name that a person entered before. */
  readonly login?: string | undefined;
}

export function SignInForm({ action, texts, login }: SignInFormProps): Markup {
  return (
    <form class="sign-in" method="post" action={action}>
      <label>
        {texts.login}{' '}
        <input
          type="text"
          name="login"
          value={login}
          required
          autocomplete="username"
          autocapitalize="none"
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
