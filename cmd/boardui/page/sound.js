// The sound of a stone, synthesized.

let speaker = null; // AudioContext, created on first use

// knock plays the sound of a stone placed on wood. Before the first click on the page there is none,
// and what is played then would be heard at that click.
export function knock() {
	if (navigator.userActivation?.hasBeenActive === false) return;
	const context = speaker ??= new AudioContext();
	const now = context.currentTime;
	for (const [pitch, strength, length] of [[1900, 0.12, 0.03], [420, 0.25, 0.07]]) {
		const tone = context.createOscillator(), volume = context.createGain();
		tone.frequency.setValueAtTime(pitch, now);
		tone.frequency.exponentialRampToValueAtTime(pitch / 2, now + length);
		volume.gain.setValueAtTime(strength, now);
		volume.gain.exponentialRampToValueAtTime(0.001, now + length);
		tone.connect(volume).connect(context.destination);
		tone.start(now);
		tone.stop(now + length);
	}
}
