import type { Child } from 'hono/jsx';
import type { Markup, WithChildren } from './markup.js';

interface MessageProps extends WithChildren {
  /** The kind of the message, such as the status of an error. It is shown above the heading. */
  readonly status?: Child;
  readonly heading: string;
  /** The reason why the form was refused that the message contains. Screen readers read it at once. */
  readonly problem?: string | undefined;
}

/** The content of a page with a single message or form, such as an error. The children say how to go on. */
export function Message({ status, heading, problem, children }: MessageProps): Markup {
  return (
    <div class="error">
      {status !== undefined && <p class="status">{status}</p>}
      <h1>{heading}</h1>
      {problem !== undefined && (
        <p class="status" role="alert">
          {problem}
        </p>
      )}
      {children}
    </div>
  );
}
