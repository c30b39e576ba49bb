import { type Field, type ListResource, newestOf, restrictFamily } from '@takt/catalogue/resources';
import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { askList, columnOf } from '../support/ask.js';
import { replaceErrorMessages } from '../support/insert-rows.js';
import { openTestApi } from '../support/open-test-api.js';
import { errorMessages } from '../support/resources.js';

/** The error messages, with a text that needs a duty. */
function withHiddenText(): ListResource {
  const hide = (field: Field): Field =>
    field.name === 'Message' ? { ...field, duty: 'operate-queues' } : field;
  const shown = new Map(errorMessages.searched.map((field) => [field, hide(field)]));
  const fields = errorMessages.fields.map((node) =>
    node.kind === 'field' ? (shown.get(node) ?? node) : node,
  );
  return { ...errorMessages, fields, searched: [...shown.values()] };
}

describe('a search', () => {
  const api = opened(openTestApi);

  before(async () => {
    await replaceErrorMessages(api.owner, [
      { id: 100_000, message: 'Nothing is found', namespace: 'query' },
      { id: 100_001, message: 'Too long', namespace: 'nothing' },
    ]);
  });

  it('ignores hidden text, also after a search by somebody who may see it', async () => {
    const whole = withHiddenText();
    const { identifier, path } = whole;
    const restricted = newestOf(restrictFamily({ identifier, path, versions: [whole] }, []));
    if (restricted.kind !== 'list') throw new Error('a list stays a list');
    // Both select the same column, so that their statements differ in nothing else.
    const search = { search: 'nothing', $select: 'ErrorMessageId' };
    const seen = async (list: ListResource) => columnOf(await askList(api, list, search));
    expect(await seen(whole)).to.deep.equal([100_000, 100_001]);
    expect(await seen(restricted)).to.deep.equal([100_001]);
    expect(await seen(whole)).to.deep.equal([100_000, 100_001]);
  });
});
