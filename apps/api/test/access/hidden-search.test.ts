import { type Field, type ListResource, newestOf, restrictFamily } from '@takt/catalogue/resources';
import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { askList, columnOf } from '../support/ask.js';
import { replaceErrorMessages } from '../support/insert-rows.js';
import { openTestApi } from '../support/open-test-api.js';
import { errorMessages } from '../support/resources.js';

/** Returns the list of error messages, changed so that their text needs a duty. */
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

  it('ignores texts for which the reader lacks a duty, even if another reader with the duty has searched first', async () => {
    const whole = withHiddenText();
    const { identifier, path } = whole;
    const restricted = newestOf(restrictFamily({ identifier, path, versions: [whole] }, []));
    if (restricted.kind !== 'list') throw new Error('a list stays a list');
    // Both searches select the same column, so their statements differ only in the searched columns.
    const search = { search: 'nothing', $select: 'ErrorMessageId' };
    const seen = async (list: ListResource) => columnOf(await askList(api, list, search));
    expect(await seen(whole)).to.deep.equal([100_000, 100_001]);
    expect(await seen(restricted)).to.deep.equal([100_001]);
    expect(await seen(whole)).to.deep.equal([100_000, 100_001]);
  });
});
