/** One thing that a traveller wants of a trip. */
export interface Wish {
  /** What is searched by. */
  readonly name: string;
  readonly value: string;
}

/** A trip to be booked: it can be, if the right wish is held to and the others may give way. */
export interface TripTask {
  readonly name: string;
  readonly question: string;
  /** In the order in which they matter. */
  readonly wishes: readonly Wish[];
  /** The wish that must be held to: only the traveller knows, and says it in passing. */
  readonly hard: string;
}

const towns = ['Harlow', 'Fleet', 'Deal', 'Rye', 'Looe', 'Wick', 'Ayr', 'Bude', 'Hythe', 'Settle'];

const wishes: readonly Wish[] = [
  { name: 'price', value: 'under 80' },
  { name: 'arrival', value: 'before noon' },
  { name: 'changes', value: 'none' },
  { name: 'seat', value: 'by the window' },
];

/** Thirty trips with two to four wishes each. */
export const tripTasks: readonly TripTask[] = Array.from({ length: 30 }, (_, number): TripTask => {
  const town = towns[number % towns.length] ?? '';
  const count = 2 + (number % 3);
  const wanted = Array.from({ length: count }, (_unused, place) => wishAt(number + place));
  const hard = wishAt(number + (number % count)).name;
  const list = wanted.map(({ name, value }) => `${name} ${value}`).join(', ');
  return {
    name: `trip ${number + 1} to ${town}`,
    question: `Book a trip to ${town}: ${list}. Without the right ${hard} it is no use to me.`,
    wishes: wanted,
    hard,
  };
});

function wishAt(place: number): Wish {
  return wishes[place % wishes.length] ?? { name: '', value: '' };
}
