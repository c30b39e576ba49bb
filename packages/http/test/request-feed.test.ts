import { Socket } from 'node:net';
import { expect } from 'chai';
import { RequestFeed } from '../src/request-feed.js';

/** A feed in front of a parser that writes down what it was given. */
function openFeed() {
  const socket = new Socket();
  const state = { parsed: '', held: 0, hasRoom: true };
  socket.on('data', (piece: Buffer) => {
    state.parsed += piece.toString();
  });
  socket.on('end', () => {
    state.parsed += '.';
  });
  const feed: RequestFeed = new RequestFeed(socket, {
    room: () => (state.hasRoom ? 256 : 0),
    onBytes: () => feed.next(),
    onHeld: (bytes) => {
      state.held += bytes;
    },
  });
  return {
    state,
    feed,
    arrive: (text: string) => socket.emit('data', Buffer.from(text)),
    end: () => socket.emit('end'),
  };
}

describe('The feed of requests', () => {
  it('keeps what has no room, and gives it in its order when there is some', () => {
    const { state, feed, arrive } = openFeed();
    arrive('a');
    state.hasRoom = false;
    arrive('b');
    arrive('c');
    expect(state).to.include({ parsed: 'a', held: 2 });
    state.hasRoom = true;
    feed.next();
    expect(state).to.include({ parsed: 'abc', held: 0 });
  });

  it('tells of the end behind all that came before it', () => {
    const { state, feed, arrive, end } = openFeed();
    state.hasRoom = false;
    arrive('a');
    arrive('b');
    end();
    expect(state.parsed).to.equal('');
    state.hasRoom = true;
    feed.next();
    expect(state.parsed).to.equal('ab.');
  });

  it('gives nothing to a parser that may be that of another connection by now', () => {
    const { state, feed, arrive } = openFeed();
    arrive('a');
    state.hasRoom = false;
    arrive('b');
    feed.stop();
    state.hasRoom = true;
    arrive('c');
    feed.next();
    expect(state).to.include({ parsed: 'a', held: 0 });
  });
});
